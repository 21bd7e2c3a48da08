/** The memory as a command wants it: opened beside the sources, closed with everything in it written. */
import type { Config } from '../config/config.ts'
import { History } from '../history/history.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { CommandContext } from './command.ts'

export interface Memory {
  readonly store: Store
  readonly history: History
  close(): Promise<void>
}

/** Never rejects: without memory the command does what it can, and stderr says so. */
export async function openMemory(
  { database }: { readonly database?: string | undefined },
  { callRetention }: Pick<Config, 'callRetention'>,
  context: CommandContext,
): Promise<Memory> {
  const store = await openStore({
    environment: context.environment,
    databaseUrl: database,
    say: line => context.say(line),
  })
  const history = new History(store, callRetention)
  return {
    store,
    history,
    async close() {
      await history.close()
      await store.close()
    },
  }
}
