import { expect, test } from 'vitest'
import { listenOnce } from '../fetch/network.testkit.ts'
import { checkSignInAddress, signInFetch } from './sign-in-fetch.ts'

/** Whether a server may name the address in its sign-in. */
const isTaken = (address: string, server: string) => {
  try {
    return checkSignInAddress(address, new URL(server)).href !== ''
  } catch {
    return false
  }
}

test.each([
  ['https://login.example.com/authorize', 'https://example.com/mcp', true],
  ['http://10.0.0.5/authorize', 'http://10.0.0.5/mcp', true],
  ['http://127.0.0.1:9000/authorize', 'http://localhost:3000/mcp', true],
  ['http://login.example.com/authorize', 'https://example.com/mcp', false],
  ['http://127.0.0.1:9000/authorize', 'https://example.com/mcp', false],
  ['https://localhost/authorize', 'https://example.com/mcp', false],
  ['https://[::1]/authorize', 'https://example.com/mcp', false],
  ['javascript:alert(1)', 'http://localhost:3000/mcp', false],
  ['file:///etc/passwd', 'http://localhost:3000/mcp', false],
  ['data:text/html,x', 'https://example.com/mcp', false],
  ['https://ada:secret@login.example.com/', 'https://example.com/mcp', false],
])('checkSignInAddress: %s, named by %s: allowed is %s', (address, server, taken) => {
  expect(isTaken(address, server)).toBe(taken)
})

test('sign-in fetch: the time limit includes the body', async ({ onTestFinished }) => {
  const port = await listenOnce((request, response) => {
    if (request.url === '/none') response.writeHead(204).end()
    else if (request.url === '/whole') response.end('{"a":1}')
    else response.write('{')
  }, onTestFinished)
  const url = (path: string) => `http://127.0.0.1:${port}/${path}`
  const ask = signInFetch(new URL(url('')), 2_000)
  expect(await (await ask(url('whole'))).json()).toEqual({ a: 1 })
  expect((await ask(url('none'))).status).toBe(204)
  await expect(ask(url('drips'))).rejects.toMatchObject({ name: 'TimeoutError' })
})
