/** `toolscope token`, with a server of the built program. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { startToolscope } from '../../scripts/toolscope-program.ts'
import { test } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

// A test starts the program.
vi.setConfig({ testTimeout: 120_000 })

const given = '0123456789abcdef0123'

test('toolscope token: prints the token that the running server accepts, and tells when it has stopped', async ({
  folder,
}) => {
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const running = await startToolscope([], folder, environment)
  const read = (...words: string[]) => runCommandLine(['token', ...words], { directory: folder, environment })
  expect(await read(running.origin)).toEqual({ code: 0, stdout: `${running.token}\n`, stderr: '' })
  expect(JSON.parse((await read(`${running.origin}/tools?token=x`, '--json')).stdout)).toEqual({
    address: running.origin,
    token: running.token,
  })
  // A data directory without a server's token, and another token.
  const other = { directory: folder, environment: { TOOLSCOPE_DATA_DIR: join(folder, 'other') } }
  const refused = await runCommandLine(['token', running.origin], other)
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('has another token') })
  await running.stop()
  const stopped = await read(running.origin)
  expect(stopped).toMatchObject({ code: 3, stdout: '' })
  expect(stopped.stderr).toContain(`No Toolscope server answers: no server answers at ${running.origin}`)
})

test('toolscope token: prints the token that the user gave to the server', async ({ folder }) => {
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data'), TOOLSCOPE_TOKEN: given }
  const running = await startToolscope([], folder, environment)
  const { stdout } = await runCommandLine(['token', running.origin], { directory: folder, environment })
  expect(stdout).toBe(`${given}\n`)
  await running.stop()
})

test('toolscope token: sends nothing to another machine, and trusts no other program', async ({ folder }) => {
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data'), TOOLSCOPE_TOKEN: given }
  const read = (address: string) => runCommandLine(['token', address], { directory: folder, environment })
  for (const address of [
    'http://tools.example.com',
    'https://127.0.0.1:4477',
    'http://127.0.0.1.example.com',
    '4477',
  ])
    expect(await read(address), address).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('is not the address of a server on this machine'),
    })
  const server = createServer((_request, answer) => answer.end('{}'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const other = await read(`http://127.0.0.1:${port}`)
  server.close()
  expect(other).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('is not Toolscope') })
})
