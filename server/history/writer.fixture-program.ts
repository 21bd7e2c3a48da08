/**
 * Writes calls as fast as it can, twenty at once, and says each one's id once it is acknowledged: until it is killed, or
 * as many times twenty as its argument says.
 */

import { emptyCall, foldEvents } from '../../core/tool/call-state.ts'
import { openStore } from '../store/open-store.ts'
import { History } from './history.ts'
import { buildRecord } from './record.ts'
import { testCall } from './testkit.ts'

const store = await openStore({ environment: process.env, say: line => process.stderr.write(`${line}\n`) })
const history = new History(store)

const times = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)

async function writeOn(): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const size = n % 7 === 0 ? 20_000 : 200
    const { id, events, facts } = testCall({ ending: { raw: `${id7()} ${'word '.repeat(size / 5)}` } })
    const record = buildRecord(foldEvents(emptyCall, events), facts)
    if (record === null) throw new Error('no record')
    await history.add(record)
    process.stdout.write(`${id}\n`)
  }
}

const id7 = () => Math.random().toString(36).slice(2, 9)
await Promise.all(Array.from({ length: 20 }, writeOn))
await history.close()
await store.close()
