/** Makes calls for a command: the sources are opened while the store and the validator are loaded. */
import { type AppError, toAppError } from '../../core/errors.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { functionsDirectory } from '../llm-functions/functions-directory.ts'
import { type CommandContext, printError } from './command.ts'
import type { OpenCalls } from './open-calls.ts'
import {
  type CatalogInput,
  namedFailure,
  openFailures,
  openSources,
  type Prepared,
  prepareNamed,
} from './open-catalog.ts'

/**
 * Opens the sources, prints to stderr which of them have no list, and closes everything after `work`. Throws the error
 * of the first source without a list if there is no tool to call, or if the command line names that source: a call must
 * not ignore a word that the user typed.
 *
 * @param needsTools false if `work` reports missing lists itself and continues
 * @param needsAll every source is needed: throws the first error of a source without a list
 * @param tool opens only the sources that can contain a tool of this name or reference, unless none of them has it
 */
export async function withCalls<Result>(
  input: CatalogInput & { readonly database?: string | undefined },
  context: CommandContext,
  work: (calls: OpenCalls & Prepared, failed: readonly AppError[]) => Promise<Result>,
  {
    needsTools = true,
    needsAll = false,
    tool,
  }: { readonly needsTools?: boolean; readonly needsAll?: boolean; readonly tool?: string } = {},
): Promise<Result> {
  const prepared = await prepareNamed(input, context)
  if (needsTools && prepared.failures[0] !== undefined) throw prepared.failures[0]
  // Loads the query builder while the sources start, which takes longer.
  const loaded = import('./open-calls.ts')
  const opening = loaded.then(({ openCalls }) => openCalls(input, prepared, context))
  const store = opening.then(calls => calls.store)
  // A store that cannot be opened is reported at the end of the command; this only avoids an unhandled rejection.
  store.catch(() => {})
  prepared.signIns.setStore(store)
  try {
    const { specs } = prepared
    const named = specs.filter(({ settings }) => tool?.startsWith(`${settings.name}/`))
    const known = async () => (await loaded).findHolders(tool ?? '', specs, await opening)
    const holders = named.length > 0 ? named : tool === undefined || specs.length < 2 ? specs : await known()
    // A tree has rules (LLM_MCP_NEED_CONFIRM) for tools of other sources too; opening it starts no program.
    const first = specs.filter(spec => holders.includes(spec) || spec.kind === functionsDirectory.kind)
    await openSources(prepared, first, context)
    if (first.length < specs.length && !holds(prepared.catalog, tool)) {
      const rest = specs.filter(spec => !first.includes(spec))
      await openSources(prepared, rest, context)
    }
    const calls = await opening
    const failures = openFailures(prepared)
    const isEmpty = prepared.catalog.tools.list().length === 0
    const notOpened = needsTools ? namedFailure(input, prepared) : undefined
    const fatal = needsAll || (needsTools && isEmpty) ? failures[0] : notOpened
    for (const error of failures) if (error.message !== fatal?.message) printError(error, context)
    if (fatal !== undefined) throw fatal
    return await work({ ...prepared, ...calls }, failures)
  } finally {
    const calls = await opening
    await calls.close()
  }
}

function holds(catalog: Catalog, tool = ''): boolean {
  try {
    return catalog.tools.find(tool) !== undefined
  } catch (thrown) {
    return toAppError(thrown).code !== 'tool-not-found'
  }
}
