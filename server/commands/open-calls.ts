/** Opens the store for a command: its history, and calls with everything that they need. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { toToolCommand } from '../../core/prompt/tool-commands.ts'
import { type Caller, createCaller } from '../calls/call.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Config } from '../config/config.ts'
import { History } from '../history/history.ts'
import type { Pins } from '../pins/source-pins.ts'
import { isFolderResponsive } from '../process/folder-answers.ts'
import { toSourceName } from '../recognise/source-name.ts'
import type { SourceSpec } from '../sources/source.ts'
import { dataDirectory } from '../store/location.ts'
import { openStore } from '../store/open-store.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { snapshotsOfCalls } from '../versions/describe-snapshot.ts'
import { startValidator, type Validator } from '../workers/validator.ts'
import type { CommandContext } from './command.ts'
import type { OpenConfig } from './open-config.ts'
import { openPins } from './open-pins.ts'

/** Milliseconds that a start waits for the recovery of the spool. */
const maxRecoverMs = 1_000

export interface OpenedHistory {
  readonly store: Store
  readonly history: History
  /** Writes pending calls, then closes the store. `OpenCalls` closes the catalog first. */
  close(): Promise<void>
}

/** Never rejects: if the store cannot be opened, stderr reports it and the command continues without it. */
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
  // A folder on a hanging file system would block every call.
  const spoolFolder = (await isFolderResponsive(folder)) ? folder : undefined
  const history = new History(store, {
    retention: callRetention,
    dataDirectory: spoolFolder,
    say: context.say,
  })
  // Waits only a limited time for a slow store, because the command itself does not need it.
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
  readonly pins: Pins
  readonly validator: Validator
}

/** Never rejects: without a store the command continues with reduced functions, and stderr reports it. */
export async function openCalls(
  input: { readonly database?: string | undefined; readonly maxCalls?: number | undefined },
  { catalog, config }: { readonly catalog: Catalog; readonly config: OpenConfig },
  context: CommandContext,
): Promise<OpenCalls> {
  const validator = startValidator()
  const pins = openPins({ catalog, config }, context)
  const opened = await openHistory(input, config, context)
  const { store, history } = opened
  const versions = snapshotsOfCalls(catalog.sources, store, context)
  return {
    ...opened,
    pins,
    call: createCaller({
      tools: catalog,
      validator,
      pins,
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

/**
 * Returns the sources whose latest known list has a tool of this name, those that the name begins like (a command may have its
 * source as prefix), those without a known list, and those whose pin has it.
 */
export async function findHolders(
  tool: string,
  specs: readonly SourceSpec[],
  { store, pins }: Pick<OpenCalls, 'store' | 'pins'>,
): Promise<readonly SourceSpec[]> {
  if (store.status().state !== 'ready') return specs
  const snapshots = storedSnapshots(store)
  const mayHold = await Promise.all(
    specs.map(async ({ settings: { name } }) => {
      if (tool.startsWith(`${toToolCommand(name)}_`) || pins.mayHaveApproved(toSourceName(name), tool))
        return true
      const [latest] = await snapshots.list(name)
      if (latest === undefined) return true
      const { tools } = await snapshots.manifestOf(latest)
      return tools.some(known => known.name === tool || toToolCommand(known.name) === tool)
    }),
  ).catch(() => specs.map(() => true)) // If the store cannot be read, all sources are opened.
  return specs.filter((_spec, index) => mayHold[index])
}
