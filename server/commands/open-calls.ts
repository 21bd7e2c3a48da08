/** What a command needs of the store: history, and the one way to call with all that it needs. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { toToolCommand } from '../../core/prompt/tool-commands.ts'
import { type Caller, createCaller } from '../calls/call.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Config } from '../config/config.ts'
import { History } from '../history/history.ts'
import { folderAnswers } from '../process/folder-answers.ts'
import type { SourceSpec } from '../sources/source.ts'
import { dataDirectory } from '../store/location.ts'
import { openStore } from '../store/open-store.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { snapshotsOfCalls } from '../versions/snapshot-of-call.ts'
import { createValidator, type Validator } from '../workers/validator.ts'
import type { CommandContext } from './command.ts'

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
  const validator = createValidator()
  const opened = await openHistory(input, config, context)
  const { store, history } = opened
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
      const threadsEnded = validator.close()
      await catalog.close()
      await opened.close()
      await threadsEnded
    },
  }
}

/** The sources whose last known list has a tool of this name; those without a known list may have it. */
export async function holdersOf(
  tool: string,
  specs: readonly SourceSpec[],
  store: Store,
): Promise<readonly SourceSpec[]> {
  if (store.status().state !== 'ready') return specs
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
