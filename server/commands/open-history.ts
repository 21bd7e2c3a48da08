/** The store and the history over it, for a command. */
import type { Config } from '../config/config.ts'
import { History } from '../history/history.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { CommandContext } from './command.ts'

export interface OpenedHistory {
  readonly store: Store
  readonly history: History
  /** Writes what still waits, then closes the store. */
  close(): Promise<void>
}

/** Never rejects: where the store cannot be opened, stderr says so and the command goes on without it. */
export async function openHistory(
  { database }: { readonly database?: string | undefined },
  { callRetention }: Pick<Config, 'callRetention'>,
  context: CommandContext,
): Promise<OpenedHistory> {
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
