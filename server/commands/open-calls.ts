/** What a command needs of the store: history, and the one way to call with all that it needs. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { type AppError, toAppError } from '../../core/errors.ts'
import { toToolCommand } from '../../core/help/tool-commands.ts'
import { type Caller, createCaller } from '../calls/call.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Config } from '../config/config.ts'
import { History } from '../history/history.ts'
import { folderAnswers } from '../process/folder-answers.ts'
import { snapshotsOfCalls } from '../snapshots/snapshot-of-call.ts'
import { functionsDirectory } from '../sources/functions-directory/functions-directory.ts'
import type { SourceSpec } from '../sources/source.ts'
import { dataDirectory } from '../store/location.ts'
import { openStore } from '../store/open-store.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { createValidator, type Validator } from '../validation/validator.ts'
import { type CommandContext, printError } from './command.ts'
import { type CatalogInput, openFailures, openSources, type Prepared, prepareNamed } from './open-catalog.ts'

/** How long a start waits for what earlier programs left in the spool. */
const maxRecoverMs = 1_000

export interface OpenedHistory {
  readonly store: Store
  readonly history: History
  /** Writes what still waits, then closes the store. With `OpenCalls` the catalog is closed first. */
  close(): Promise<void>
}

/** Never rejects: where the store cannot be opened, stderr says so and the command goes on without it. */
export async function openHistory(
  { database, toDelete }: { readonly database?: string | undefined; readonly toDelete?: boolean },
  { callRetention }: Pick<Config, 'callRetention'>,
  context: CommandContext,
): Promise<OpenedHistory> {
  const store = await openStore({
    environment: context.environment,
    databaseUrl: database,
    toDelete,
    say: context.say,
  })
  const folder = dataDirectory(context.environment)
  // A folder that hangs would hold the program with each call.
  const spoolFolder = (await folderAnswers(folder)) ? folder : undefined
  const history = new History(store, {
    retention: callRetention,
    dataDirectory: spoolFolder,
    say: context.say,
  })
  // Not waited for where the store is slow: the command itself does not need it.
  await Promise.race([history.recover(), setTimeoutPromise(maxRecoverMs, undefined, { ref: false })])
  return {
    store,
    history,
    async close() {
      await history.close()
      await store.close()
    },
  }
}

export interface OpenCalls extends OpenedHistory {
  readonly call: Caller
  readonly validator: Validator
}

/** Never rejects: without a store the command does what it can, and stderr says so. */
export async function openCalls(
  input: { readonly database?: string | undefined; readonly maxCalls?: number | undefined },
  {
    catalog,
    config,
  }: { readonly catalog: Catalog; readonly config: Pick<Config, 'callRetention' | 'maxCalls'> },
  context: CommandContext,
): Promise<OpenCalls> {
  const opened = await openHistory(input, config, context)
  const { store, history } = opened
  const validator = createValidator()
  const versions = snapshotsOfCalls(catalog.sources, store, context)
  return {
    ...opened,
    call: createCaller({
      tools: catalog,
      validator,
      maxCalls: input.maxCalls ?? config.maxCalls,
      record: { history, versions },
    }),
    validator,
    async close() {
      await validator.close()
      await catalog.close()
      await opened.close()
    },
  }
}

/**
 * Opens the sources, says on stderr which of them gave no list, and closes all after `work`. Throws why the first source
 * gave no list where there is no tool to call.
 *
 * @param needsAll every source is needed: throws why the first of them gave no list
 * @param tool only the sources that can hold a tool of this name or reference are opened, unless none of them has it
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
  const calls = await openCalls(input, prepared, context)
  prepared.signIns.setStore(calls.store)
  try {
    const holders = tool === undefined ? prepared.specs : await sourcesWith(tool, prepared.specs, calls.store)
    // A tree has rules (LLM_MCP_NEED_CONFIRM) for tools that another source shows; to open it starts nothing.
    const first = prepared.specs.filter(
      spec => holders.includes(spec) || spec.kind === functionsDirectory.kind,
    )
    await openSources(prepared, first, context)
    if (first.length < prepared.specs.length && !holds(prepared.catalog, tool)) {
      const rest = prepared.specs.filter(spec => !first.includes(spec))
      await openSources(prepared, rest, context)
    }
    const failures = openFailures(prepared)
    const hasEnough = !needsAll && (!needsTools || prepared.catalog.tools.list().length > 0)
    const [fatal] = hasEnough ? [] : failures
    for (const error of failures) if (error !== fatal) printError(error, context)
    if (fatal !== undefined) throw fatal
    return await work({ ...prepared, ...calls }, failures)
  } finally {
    await calls.close()
  }
}

/** The sources that a reference names, or whose last known list has the name; those without a known list may have it. */
async function sourcesWith(
  tool: string,
  specs: readonly SourceSpec[],
  store: Store,
): Promise<readonly SourceSpec[]> {
  const named = specs.filter(({ settings }) => tool.startsWith(`${settings.name}/`))
  if (named.length > 0) return named
  if (specs.length < 2 || store.status().state !== 'ready') return specs
  const snapshots = storedSnapshots(store)
  const mayHold = await Promise.all(
    specs.map(async ({ settings: { name } }) => {
      const [latest] = await snapshots.list(name)
      if (latest === undefined) return true
      const { tools } = await snapshots.manifestOf(latest)
      return tools.some(known => known.name === tool || toToolCommand(known.name) === tool)
    }),
  ).catch(() => specs.map(() => true)) // Whoever cannot read the store opens all.
  return specs.filter((_spec, index) => mayHold[index])
}

function holds(catalog: Catalog, tool = ''): boolean {
  try {
    return catalog.tools.find(tool) !== undefined
  } catch (thrown) {
    return toAppError(thrown).code !== 'tool-not-found'
  }
}
