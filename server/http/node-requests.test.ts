import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import { until } from '../../scripts/test-processes.ts'
import { bridgeHeaders, getCloseSignal, stream } from './node-requests.ts'

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
})

/** Larger than what a response takes before it asks to wait. */
const chunk: SessionEvent = { type: 'stdout', text: 'x'.repeat(200_000) }

/** The address of a server that streams what `events` gives until the signal of its caller is aborted. */
async function serve(events: (signal: AbortSignal) => AsyncIterable<SessionEvent>): Promise<string> {
  const server = createServer((request, response) => {
    const signal = getCloseSignal(request.socket)
    void stream(response, bridgeHeaders('test'), events(signal), { format: 'lines', signal })
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('stream: waits for a slow reader many times without leaving listeners', async () => {
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => warnings.push(name)
  process.on('warning', onWarning)
  const url = await serve(async function* () {
    for (let count = 0; count < 20; count++) yield chunk
  })
  const lines = (await (await fetch(url)).text()).trim().split('\n')
  expect(lines).toHaveLength(20)
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
})

it('stream: reads a call to its end when the caller disconnects in the middle', async () => {
  let written = 0
  let isCancelled = false
  const url = await serve(async function* (signal) {
    for (; !signal.aborted; written++) yield chunk
    yield { type: 'stderr', text: 'cancelled' }
    isCancelled = true
  })
  const call = request(url, answer => answer.pause())
  call.on('error', () => {})
  call.end()
  let before = -1
  // Until the client reads no more.
  while (before !== written) {
    before = written
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  expect(written).toBeGreaterThan(0)
  call.destroy()
  await until(() => isCancelled)
})
