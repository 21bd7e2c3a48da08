import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { toAppError } from '../../core/errors.ts'
import { callTool, neverAborted, openSource, projectPath, toolNamed } from '../sources/testkit.ts'

const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
})

test.concurrent.each(['mcp-quirks-old', 'mcp-quirks-new'])(
  '%s over HTTP that needs six seconds for each answer is opened and called',
  async file => {
    const path = projectPath(`server/sources/fixtures/${file}.mjs`)
    const child = spawn(process.execPath, [path, '--http', '--late', '6000'])
    started.push(child)
    const port = await new Promise<string>(resolve =>
      child.stdout.on('data', text => resolve(/listening (\d+)/.exec(String(text))?.[1] ?? '')),
    )
    const session = await openSource(`mcp:http://127.0.0.1:${port}/mcp`)
    const echo = await toolNamed(session, 'echo')
    const { ending } = await callTool(session, echo, { message: 'late' }, { timeoutMs: 60_000 })
    expect(ending).toMatchObject({ type: 'result' })
    await session.close()
  },
  240_000,
)

test.concurrent('an address that never answers fails, and the message says the time that was waited', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const session = await openSource(`mcp:http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  const begun = performance.now()
  const error = toAppError(await session.manifest(neverAborted()).catch(thrown => thrown))
  const seconds = Math.floor((performance.now() - begun) / 1000)
  expect(error.code).toBe('source-timeout')
  expect(error.detail).toContain(`did not answer within ${seconds} s`)
  server.closeAllConnections()
  server.close()
}, 120_000)
