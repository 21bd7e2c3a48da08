/** What a command needs to call tools: the validator, the history, and the one way to call. Closed together. */
import { type Caller, createCaller } from '../calls/call.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Config } from '../config/config.ts'
import type { History } from '../history/history.ts'
import { snapshotsOfCalls } from '../snapshots/snapshot-of-call.ts'
import type { Store } from '../store/store.ts'
import { createValidator, type Validator } from '../validation/validator.ts'
import type { CommandContext } from './command.ts'
import { openHistory } from './open-history.ts'

export interface OpenCalls {
  readonly call: Caller
  readonly validator: Validator
  readonly store: Store
  readonly history: History
  /** Closes the catalog too, then writes what history still has to write. */
  close(): Promise<void>
}

/** Never rejects: without a store the command does what it can, and stderr says so. */
export async function openCalls(
  input: { readonly database?: string | undefined },
  { catalog, config }: { readonly catalog: Catalog; readonly config: Pick<Config, 'callRetention'> },
  context: CommandContext,
): Promise<OpenCalls> {
  const opened = await openHistory(input, config, context)
  const { store, history } = opened
  const validator = createValidator()
  const versions = snapshotsOfCalls(catalog.sources, store, context)
  return {
    call: createCaller({ tools: catalog, validator, record: { history, versions } }),
    validator,
    store,
    history,
    async close() {
      await validator.close()
      await catalog.close()
      await opened.close()
    },
  }
}
