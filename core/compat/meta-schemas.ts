/**
 * The meta-schemas of all drafts, for schemas that refer to them (such as a tool with a schema as input); loaded on
 * demand.
 */
import type { UnknownObject } from '../json/json.ts'

let loaded: ReadonlyMap<string, UnknownObject> = new Map()

/** Loads the meta-schemas once. */
export async function loadMetaSchemas(): Promise<void> {
  if (loaded.size > 0) return
  const modules = await Promise.all([
    import('ajv-draft-04/dist/refs/json-schema-draft-04.json'),
    import('ajv/dist/refs/json-schema-draft-06.json'),
    import('ajv/dist/refs/json-schema-draft-07.json'),
    import('ajv/dist/refs/json-schema-2019-09/schema.json'),
    import('ajv/dist/refs/json-schema-2019-09/meta/applicator.json'),
    import('ajv/dist/refs/json-schema-2019-09/meta/content.json'),
    import('ajv/dist/refs/json-schema-2019-09/meta/core.json'),
    import('ajv/dist/refs/json-schema-2019-09/meta/format.json'),
    import('ajv/dist/refs/json-schema-2019-09/meta/meta-data.json'),
    import('ajv/dist/refs/json-schema-2019-09/meta/validation.json'),
    import('ajv/dist/refs/json-schema-2020-12/schema.json'),
    import('ajv/dist/refs/json-schema-2020-12/meta/applicator.json'),
    import('ajv/dist/refs/json-schema-2020-12/meta/content.json'),
    import('ajv/dist/refs/json-schema-2020-12/meta/core.json'),
    import('ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json'),
    import('ajv/dist/refs/json-schema-2020-12/meta/meta-data.json'),
    import('ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json'),
    import('ajv/dist/refs/json-schema-2020-12/meta/validation.json'),
  ])
  loaded = new Map(
    modules.map(({ default: schema }) => {
      const { $id, id } = schema as { readonly $id?: string; readonly id?: string }
      return [($id ?? id ?? '').replace(/#$/, ''), schema]
    }),
  )
}

/** Loads the meta-schemas if the text of a schema refers to one. */
export async function loadMetaSchemasFor(schemaText: string): Promise<void> {
  if (/"\$\w*[rR]ef"\s*:\s*"https?:\/\/json-schema\.org\//.test(schemaText)) await loadMetaSchemas()
}

/** Returns the meta-schemas by address; empty before they are loaded. */
export function metaSchemas(): ReadonlyMap<string, UnknownObject> {
  return loaded
}
