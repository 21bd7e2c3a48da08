/** The catalog of a person that is limited to some sources: others do not exist in it. */
import { AppError } from '../../core/errors.ts'
import type { Catalog } from './catalog.ts'
import type { SourceConnection } from './source-connection.ts'
import type { SourceRegistry } from './source-registry.ts'
import type { ToolIndex } from './tool-index.ts'

/**
 * Returns a view of a catalog with only the sources of these names. It has no state or listener of its own, so it need
 * not be closed. Requests that open, rename or remove sources must be refused before: the view only limits what finds
 * and lists them.
 */
export function limitCatalog(catalog: Catalog, names: ReadonlySet<string>): Catalog {
  const sees = (name: string) => names.has(name)
  const tools = cacheByTools(catalog, () => catalog.tools.limitedTo(sees))
  const current = () => {
    const index = tools()
    index.forms = catalog.tools.forms
    return index
  }
  // The methods of the catalog read only these two members.
  return Object.create(catalog, {
    sources: { value: limitSources(catalog, sees, current) },
    tools: { get: current },
  })
}

function limitSources(
  catalog: Catalog,
  sees: (name: string) => boolean,
  tools: () => ToolIndex,
): SourceRegistry {
  const { sources } = catalog
  const find = (name: string) => (sees(name) ? sources.find(name) : undefined)
  const list = () => sources.list().filter(({ name }) => sees(name))
  const describe = (connection: SourceConnection) => connection.describe(tools().countOf(connection.name))
  const members: Partial<SourceRegistry> = {
    find,
    stateOf: describe,
    // A tool that another source hides is shown if the person does not see that source.
    list: () => list().map(({ name }) => describe(sources.get(name))),
    get(name) {
      const connection = find(name)
      if (connection !== undefined) return connection
      const known = list().map(source => source.name)
      throw new AppError(
        'request-invalid',
        `there is no source "${name}"; there are ${known.join(', ') || 'none'}`,
      )
    },
    listRemoved: () => [],
    nameOf(spec, except) {
      const name = sources.nameOf(spec, except)
      return name !== undefined && sees(name) ? name : undefined
    },
    onChange: listener =>
      sources.onChange(event => (event.source === '*' || sees(event.source)) && listener(event)),
    cached: build => cacheByTools(catalog, build),
  }
  return Object.create(sources, Object.getOwnPropertyDescriptors(members))
}

/** Builds a value again only after the tools of the catalog changed. */
function cacheByTools<Value>(catalog: Catalog, build: () => Value): () => Value {
  let built: { readonly value: Value; readonly revision: object } | undefined
  return () => {
    const { revision } = catalog.tools
    if (built?.revision !== revision) built = { value: build(), revision }
    return built.value
  }
}
