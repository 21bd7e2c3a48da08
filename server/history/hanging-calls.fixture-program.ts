/** Begins five calls that do not end and prints their ids once they run; with an argument it then exits. */
import type { CallEvent } from '../../core/tool/invocation.ts'
import { dataDirectory } from '../store/location.ts'
import { openStore } from '../store/open-store.ts'
import { History } from './history.ts'
import { testCall } from './testkit.ts'

const store = await openStore({ environment: process.env, say: line => process.stderr.write(`${line}\n`) })
const history = new History(store, { dataDirectory: dataDirectory(process.env) })
let running: string[] = []

async function hang(): Promise<void> {
  const { id, events, facts } = testCall()
  const [started] = events
  async function* endless(): AsyncGenerator<CallEvent> {
    if (started !== undefined) yield started
    running = [...running, id]
    if (running.length === 5)
      process.stdout.write(`${running.join('\n')}\n`, () => process.argv[2] && process.exit())
    await new Promise(() => {})
  }
  for await (const _event of history.recorded(endless(), facts));
}

// Keeps the program alive.
setInterval(() => {}, 1_000)
await Promise.all(Array.from({ length: 5 }, hang))
