import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from '../../core/api/contract.ts'
import { audited, defineEndpoints } from '../../core/api/endpoint.ts'
import { withGate } from './gate.ts'
import { createAccess, guard } from './security.ts'
import { createHono, createRefusalAudit, otherRoute, serve } from './serve-endpoints.ts'

interface Sample {
  readonly path?: string
  readonly body?: object
  readonly target: string
}

/** Returns the target in the audit line of a request, which no handler answers. */
async function readTarget(
  key: string,
  { path, body }: Omit<Sample, 'target'>,
  { readOnly = false, isInside = true } = {},
): Promise<unknown> {
  const lines: string[] = []
  const app = createHono()
  const mode = { readOnly, fixedSources: false }
  app.use(withGate({ mode, write: line => void lines.push(line) }))
  if (!isInside) app.use(guard(createAccess(), createRefusalAudit(contract)))
  const handlers = Object.fromEntries(Object.keys(contract).map(name => [name, () => otherRoute]))
  app.route('/', serve(contract, handlers as never))
  const [method = '', pattern = ''] = key.split(' ')
  const request = { method, headers: { 'content-type': 'application/json' } }
  await app.request(path ?? pattern, body ? { ...request, body: JSON.stringify(body) } : request)
  expect([key, lines.length]).toEqual([key, 1])
  const line = JSON.parse(lines[0] ?? '{}') as Record<string, unknown>
  const outcome = isInside && !readOnly ? 'accepted' : 'refused'
  expect(line).toMatchObject({ outcome, request: key })
  return line.target
}

const secret = 'hunter2-hunter2'
const ref = 'acme/api greet'
const ofAcme = (rest = '') => ({ path: `/api/sources/acme${rest}`, target: 'acme' })
const entry = { command: ['node', 'acme.mjs', '--api-key', secret], environment: { MODE: secret } }

const samples: Readonly<Record<string, Sample>> = {
  'POST /api/invocations': { body: { ref, input: { secret } }, target: ref },
  'POST /api/apps': { body: { ref, permissions: ['camera'] }, target: `${ref} permissions=camera` },
  'POST /api/apps/resources': { body: { ref, uri: 'ui://a' }, target: `${ref} ui://a` },
  'POST /api/invocations/{id}/answers': {
    path: '/api/invocations/c1/answers',
    body: { question: 'q1', action: 'accept', content: { secret } },
    target: 'c1 q1 accept',
  },
  'POST /api/invocations/{id}/cancel': { path: '/api/invocations/c1/cancel', target: 'c1' },
  'POST /api/agents/{source}/{name}/instructions': {
    path: '/api/agents/acme/todo/instructions',
    body: { variables: { secret } },
    target: 'acme/todo',
  },
  'POST /api/subscriptions': { body: { ref, subscribed: true }, target: `${ref} subscribed=true` },
  'POST /api/completions': {
    body: { ref, argument: 'city', text: secret, others: { secret } },
    target: `${ref} argument=city`,
  },
  'GET /api/clients': { target: 'files of other clients' },
  'POST /api/clients/open': {
    body: { file: '/home/ada/.claude.json', id: 'github', inputs: { token: secret } },
    target: '/home/ada/.claude.json#github',
  },
  'GET /api/sources/{name}/connect': {
    path: '/api/sources/acme/connect?client=codex',
    target: 'acme client=codex',
  },
  'PUT /api/sources/{name}/pin': {
    path: '/api/sources/acme/pin',
    body: { hashes: ['0'.repeat(64)] },
    target: 'acme hashes=1',
  },
  'DELETE /api/sources/{name}/pin': ofAcme('/pin'),
  'POST /api/compare': {
    body: { a: 'acme', b: 'acme-next', history: 3, allowWrites: true },
    target: 'acme acme-next history=3 allowWrites=true',
  },
  'PUT /api/examples': {
    body: { ref, text: JSON.stringify({ name: 'first', input: { secret } }) },
    target: `${ref} first`,
  },
  'POST /api/generated-checks': {
    body: { ref, seed: 3, confirmed: true },
    target: `${ref} confirmed=true`,
  },
  'POST /api/generated-checks/{id}/stop': { path: '/api/generated-checks/g1/stop', target: 'g1' },
  'DELETE /api/examples': { path: `/api/examples?ref=acme/greet&name=first`, target: 'acme/greet first' },
  'POST /api/examples/run': { body: { ref, name: 'first' }, target: `${ref} first` },
  'DELETE /api/history': {
    path: '/api/history?source=acme&since=2026-11-21&includePinned=true',
    target: 'source=acme includePinned=true since=2026-11-21T00:00:00.000Z',
  },
  'PATCH /api/history/{id}': {
    path: '/api/history/c1',
    body: { pinned: false },
    target: 'c1 pinned=false',
  },
  'DELETE /api/history/{id}': { path: '/api/history/c1', target: 'c1' },
  'PATCH /api/sources/{name}/wire': {
    path: '/api/sources/acme/wire',
    body: { paused: true },
    target: 'acme paused=true',
  },
  'DELETE /api/sources/{name}/wire': ofAcme('/wire'),
  'POST /api/sources/{name}/wire/send': {
    path: '/api/sources/acme/wire/send',
    body: { text: JSON.stringify({ method: 'tools/call', params: { secret } }) },
    target: 'acme tools/call',
  },
  'POST /api/recordings': {
    body: { sources: ['acme', 'beta'], withPast: true },
    target: 'acme beta withPast=true',
  },
  'POST /api/recordings/{id}/stop': { path: '/api/recordings/r1/stop', target: 'r1' },
  'DELETE /api/recordings/{id}': { path: '/api/recordings/r1', target: 'r1' },
  'PUT /api/scripts/{name}': { path: '/api/scripts/daily', body: { text: secret }, target: 'daily' },
  'DELETE /api/scripts/{name}': { path: '/api/scripts/daily', target: 'daily' },
  'POST /api/sources': {
    body: { entry, name: 'acme' },
    target: 'acme MODE=••• node acme.mjs --api-key •••',
  },
  'POST /api/sources/probe': {
    body: { entry: { mcp: { url: `https://ada:${secret}@example.com/mcp?q=${secret}` } }, name: 'acme' },
    target: 'acme https://example.com/mcp?…',
  },
  'POST /api/sources/recognise': { body: { name: 'mcp.json', text: secret }, target: 'mcp.json' },
  'POST /api/manifests': { body: { name: 'tools.json', text: secret }, target: 'tools.json' },
  'PUT /api/sources/{name}': {
    ...ofAcme(),
    body: { name: 'renamed', entry: { ...entry, directory: '/srv' } },
    target: 'acme name=renamed MODE=••• node acme.mjs --api-key ••• directory=/srv',
  },
  'PUT /api/sources/{name}/directory': {
    path: '/api/sources/acme/directory',
    body: { directory: '/srv/acme' },
    target: 'acme directory=/srv/acme',
  },
  'PUT /api/sources/{name}/call-settings': {
    path: '/api/sources/acme/call-settings',
    body: { timeoutMs: 300_000, askBeforeDestructive: 'once' },
    target: 'acme timeoutMs=300000 askBeforeDestructive=once',
  },
  'POST /api/sources/{name}/config-change': { ...ofAcme('/config-change'), body: { before: secret } },
  'GET /api/sources/{name}/config-change': ofAcme('/config-change'),
  'POST /api/sources/{name}/refresh': ofAcme('/refresh'),
  'POST /api/sources/{name}/restart': ofAcme('/restart'),
  'POST /api/sources/{name}/stop': ofAcme('/stop'),
  'GET /api/sources/{name}/entry': ofAcme('/entry'),
  'DELETE /api/sources/{name}': ofAcme(),
  'POST /api/sources/{name}/restore': ofAcme('/restore'),
  'POST /api/sources/{name}/sign-in': ofAcme('/sign-in'),
  'POST /api/sources/{name}/sign-out': ofAcme('/sign-out'),
  'PUT /api/trust': { body: { fingerprint: 'f00' }, target: 'toolscope.json fingerprint=f00' },
  'DELETE /api/trust': { target: 'toolscope.json' },
  'PUT /api/sources/{name}/versions/{number}/labels/{label}': {
    path: '/api/sources/acme/versions/3/labels/stable',
    target: 'acme@3 label=stable',
  },
  'DELETE /api/sources/{name}/labels/{label}': {
    path: '/api/sources/acme/labels/stable',
    target: 'acme label=stable',
  },
}

describe('audit log: names the target', () => {
  test('of every endpoint that is not `read`', () => {
    const keys = Object.entries(contract).flatMap(([key, { right }]) => (right === 'read' ? [] : [key]))
    expect(Object.keys(samples).sort()).toEqual(keys.sort())
  })

  test.each(Object.entries(samples))('of %s', async (key, { target, ...request }) => {
    expect(await readTarget(key, request)).toBe(target)
    expect(await readTarget(key, request, { readOnly: true })).toBe(target)
  })

  test.each([
    [
      'the path and the query',
      'DELETE /api/examples',
      '/api/examples?ref=acme/greet&name=first',
      'acme/greet first',
    ],
    ['the decoded path', 'DELETE /api/sources/{name}', '/api/sources/a%20b', 'a b'],
    ['the path, if the body names it', 'POST /api/invocations', '/api/invocations', '/api/invocations'],
    ['the path, if the query is wrong', 'DELETE /api/history', '/api/history?since=x', '/api/history'],
    ['the path, if it is not text', 'DELETE /api/history/{id}', '/api/history/%ff%00', '/api/history/%ff%00'],
  ])('of a request without a session by %s: its body is not read', async (_, key, path, target) => {
    const body = key.startsWith('POST') ? { ref, input: {} } : undefined
    expect(await readTarget(key, { path, ...(body && { body }) }, { isInside: false })).toBe(target)
  })

  test('of a request that the mode refuses by the path, if its body is wrong', async () => {
    const wrong = { path: '/api/sources/acme', body: { entry: 3 } }
    expect(await readTarget('PUT /api/sources/{name}', wrong, { readOnly: true })).toBe('/api/sources/acme')
  })
})

test('audit log: has no line for a refused request that only reads, or that no route answers', async () => {
  const lines: string[] = []
  const app = createHono()
  const mode = { readOnly: false, fixedSources: false }
  app.use(withGate({ mode, write: line => void lines.push(line) }))
  app.use(guard(createAccess(), createRefusalAudit(contract)))
  for (const path of ['/', '/api/tools', '/api/none', '/api/sources/a/b/c'])
    expect((await app.request(path, { headers: { host: 'evil.example' } })).status).toBe(403)
  expect(lines).toEqual([])
})

test.each([
  [`node acme.mjs --api-key ${secret}`, 'node acme.mjs --api-key •••'],
  [`{"mcpServers":{"a":{"command":"x","env":{"A":"${secret}"}}}}`, '(JSON)'],
  ['x'.repeat(5_000), `${'x'.repeat(499)}…`],
  ['x'.repeat(40_000), '(text of 40000 characters)'],
])('audit log: names a text that is recognised by what was typed, case %#', async (text, target) => {
  expect(await readTarget('POST /api/sources/recognise', { body: { name: '', text } })).toBe(target)
})

const opened = (body: object) => readTarget('POST /api/sources', { body })

test.each([
  ['a command line', { input: `K=${secret} npx -e A=${secret} srv --token=${secret} --port 1` }],
  ['the line of an entry', { entry: { line: `srv --password ${secret}` } }],
  ['an address', { input: `mcp:https://ada:${secret}@example.com/mcp?q=${secret}#${secret}` }],
  ['an address in a command', { input: `npx mcp-remote https://example.com/mcp?q=${secret}` }],
  ['an address with backslashes', { input: `https:\\\\ada:${secret}@example.com\\mcp` }],
  ['an address as a path', { entry: { manifest: `https://ada:${secret}@example.com/tools.json` } }],
  ['a bridge', { entry: { bridge: `http://ada:${secret}@localhost:8808?q=${secret}` } }],
  ['a server', { entry: { mcp: { command: ['srv', `--token=${secret}`], env: { A: secret } } } }],
  ['headers', { entry: { mcp: { url: 'https://example.com', headers: { Authorization: secret } } } }],
  ['a manifest', { entry: { text: secret } }],
])('audit log: leaves the secrets of %s out', async (_, body) => {
  const target = await opened(body)
  expect(target).toMatch(/srv|example\.com|localhost|manifest/)
  expect(target).not.toContain('hunter2')
})

test('audit log: writes a target as one line of at most 1,000 characters', async () => {
  const target = String(await opened({ input: `srv 'a\nb\u001b[2J\u202e' ${'x'.repeat(5000)}` }))
  expect(target).toMatch(/^srv 'a b\ufffd\[2J\ufffd' x+…$/)
  expect(target).toHaveLength(1000)
})

test('audit log: an endpoint that changes something does not compile without a target', () => {
  const facts = { about: 'Changes something.', answer: z.string() }
  defineEndpoints({
    'GET /api/read': { right: 'read', ...facts },
    'PUT /api/write': audited({ right: 'write', ...facts, target: () => 'all' }),
    // @ts-expect-error The target is missing.
    'PUT /api/missing': { right: 'write', ...facts },
    'PUT /api/wrong': audited({
      right: 'write',
      ...facts,
      params: z.object({ name: z.string() }),
      // @ts-expect-error The params have no such field.
      target: ({ params }) => params.id,
    }),
  })
})
