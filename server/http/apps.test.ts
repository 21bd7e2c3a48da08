/** The second origin of `serve`, for the apps of tools. */

import { request } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { startToolscope } from '../../scripts/toolscope-program.ts'
import { resolveInRepository } from '../sources/testkit.ts'

const apps = resolveInRepository('server/sources/fixtures/mcp-apps.mjs')

async function serveApps(...args: readonly string[]) {
  const running = await startToolscope([`mcp:node ${apps}`, ...args])
  onTestFinished(() => running.stop())
  return running
}

/** Sends a request with exactly these headers. */
function get(address: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; policy: string; text: string }>((resolve, reject) => {
    request(address, { headers }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          policy: String(response.headers['content-security-policy']),
          text,
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

it('origin of apps: answers once for a frame and once for its app, to a frame of its page only', async () => {
  const { origin, request: send } = await serveApps()
  const open = async (ref: string, permissions: readonly string[] = []) =>
    (await send('/api/apps', { ref, permissions })).json()
  const opened = await open('mcp-apps/policy', ['camera', 'geolocation'])
  expect(opened).toMatchObject({
    uri: 'ui://apps/policy.html',
    declared: ['camera', 'clipboardWrite'],
    granted: ['camera'],
    domains: { connectDomains: ['https://api.example.com'], resourceDomains: [] },
  })
  expect(opened.refused).toHaveLength(5)
  expect(new URL(opened.frameUrl).origin).toBe(opened.origin)
  expect(opened.origin).not.toBe(origin)
  // The page may contain frames of this origin only.
  const page = await fetch(origin, { headers: { accept: 'text/html' } })
  expect(page.headers.get('content-security-policy')).toContain(`frame-src ${opened.origin};`)

  expect((await get(opened.frameUrl, { host: 'evil.example' })).status).toBe(403)
  expect((await get(opened.frameUrl, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await get(opened.frameUrl, { 'sec-fetch-dest': 'document' })).status).toBe(403)
  for (const path of ['/', '/api/tools', '/assets/a.js', '/frame/', '/app/', '/frame/guess', '/app/guess'])
    expect((await get(`${opened.origin}${path}`)).status, path).toBeGreaterThanOrEqual(400)

  const frame = await get(opened.frameUrl, { 'sec-fetch-dest': 'iframe' })
  expect(frame.status).toBe(200)
  expect(frame.policy).toContain(`frame-src ${opened.origin}/app/;`)
  expect(frame.policy).toContain(`frame-ancestors ${origin};`)
  expect(frame.policy).not.toContain('unsafe')
  expect((await get(opened.frameUrl)).status).toBe(410)
  const path = /\/app\/[\w-]+/.exec(frame.text)?.[0] ?? ''
  const app = await get(`${opened.origin}${path}`)
  expect(app.policy).toContain('sandbox allow-scripts allow-forms')
  expect(app.policy).toContain('connect-src https://api.example.com;')
  expect(app.policy).toContain(`frame-ancestors ${opened.origin} ${origin};`)
  expect((await get(`${opened.origin}${path}`)).status).toBe(410)

  for (const [ref, reason] of [
    ['mcp-apps/too large', '19.1 MiB; an app may have 8 MiB'],
    ['mcp-apps/wrong type', 'its type is "text/html"'],
    ['mcp-apps/missing', 'there is no ui://apps/missing.html'],
    ['mcp-apps/add', 'has no app'],
  ] as const)
    expect((await open(ref)).error.detail).toContain(reason)
  const read = await send('/api/apps/resources', { ref: 'mcp-apps/add', uri: 'ui://apps/wrong-type.html' })
  expect(await read.json()).toMatchObject({ contents: [{ text: '<p>no app</p>' }] })
})

it('origin of apps: behind a proxy it is undefined without --app-origin', async () => {
  const token = { TOOLSCOPE_TOKEN: 'a-secret-of-the-team-0123456789' }
  const start = async (...args: readonly string[]) => {
    const running = await startToolscope(
      [`mcp:node ${apps}`, '--allow-host', 'tools.example.com', ...args],
      undefined,
      token,
    )
    onTestFinished(() => running.stop())
    return (await running.request('/api/apps', { ref: 'mcp-apps/sum' })).json()
  }
  expect((await start()).error.detail).toContain('--app-origin')
  const { origin, frameUrl } = await start('--app-origin', 'https://apps.example.com', '--app-port', '0')
  expect(origin).toBe('https://apps.example.com')
  expect(frameUrl).toMatch(/^https:\/\/apps\.example\.com\/frame\/[\w-]{32}$/)
})
