// Records calls of real servers through `toolscope tap`, replays them with the servers stopped, and compares each answer and
// what the client noticed: `npm run bench -- replay [--calls 1000] [--json]`. Needs the built program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { incurProgram, installIncur, isIncurInstalled } from '../scripts/incur-fixture.mjs'
import { project } from '../scripts/project.mjs'
import { printReport, readOptions } from './harness.mjs'

const { calls, json } = readOptions({ calls: '1000', json: false })
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const files = join(folder, 'files')
const environment = { ...process.env, TOOLSCOPE_DATA_DIR: join(folder, 'data') }
const node = process.execPath
const toolscope = [node, project('dist/server/main.js')]
const server = name => project(`node_modules/@modelcontextprotocol/${name}/dist/index.js`)
const fixture = name => project(`server/sources/fixtures/${name}.mjs`)
const anything = {
  parse: value => value,
  '~standard': { version: 1, vendor: 'any', validate: value => ({ value }) },
}

mkdirSync(files)
for (let at = 0; at < 20; at += 1)
  writeFileSync(join(files, `note-${at}.txt`), `Note ${at}: naïve 日本語\n`.repeat(at + 1))
installIncur()

/** Inputs of a session: by their number. */
const everything = at => {
  const inputs = [
    ['echo', { message: `call ${at} – 日本語 "quoted"` }],
    ['get-sum', { a: at, b: 0.1 }],
    ['get-structured-content', { location: ['New York', 'Chicago', 'Los Angeles'][at % 3] }],
    [
      'get-annotated-message',
      { messageType: ['success', 'error', 'debug'][at % 3], includeImage: at % 2 === 0 },
    ],
    ['get-resource-links', { count: (at % 9) + 1 }],
    ['get-tiny-image', {}],
    ['echo', { message: 7 }],
    ['no-such-tool', { at }],
    ['trigger-long-running-operation', { duration: 0.02, steps: 2 }],
  ]
  return inputs[at % inputs.length]
}
const filesystem = at => {
  const inputs = [
    ['read_text_file', { path: join(files, `note-${at % 20}.txt`) }],
    ['list_directory', { path: files }],
    ['get_file_info', { path: join(files, `note-${at % 7}.txt`) }],
    ['search_files', { path: files, pattern: `*${at % 10}.txt` }],
    ['read_text_file', { path: '/etc/hostname' }],
    ['directory_tree', { path: files }],
  ]
  return inputs[at % inputs.length]
}
const quirks = at => {
  const inputs = [
    ['add', { a: at, b: 1 }],
    ['nope', {}],
    ['add', { a: 'x' }],
  ]
  return inputs[at % inputs.length]
}
const incur = at => {
  const inputs = [
    ['search_tools', { query: ['greet', 'count', 'join'][at % 3] }],
    ['get_tool_details', { name: 'api_greet' }],
    ['call_read_tool', { name: 'api_greet', args: { name: `Ada ${at}` } }],
  ]
  return inputs[at % inputs.length]
}

const sessions = [
  {
    name: 'server-everything, stdio',
    share: 0.3,
    command: [node, server('server-everything'), 'stdio'],
    input: everything,
  },
  {
    name: 'server-filesystem, stdio',
    share: 0.25,
    command: [node, server('server-filesystem'), files],
    input: filesystem,
  },
  {
    name: 'server-everything, HTTP',
    share: 0.2,
    http: [node, server('server-everything'), 'streamableHttp'],
    input: everything,
  },
  {
    name: 'fixture of 2026-07-28, stdio',
    share: 0.1,
    command: [node, fixture('mcp-quirks-new')],
    input: quirks,
    mode: 'auto',
  },
  ...(isIncurInstalled()
    ? [{ name: 'incur, stdio', share: 0.15, command: [node, incurProgram, '--mcp'], input: incur }]
    : []),
]

/** Makes the calls, one after the other. */
async function talk(transport, { input, mode = 'legacy', count }) {
  const seen = { answers: [], notifications: [] }
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } })
  client.fallbackNotificationHandler = async ({ method, params }) =>
    seen.notifications.push({ method, params })
  await client.connect(transport)
  try {
    seen.tools = await client.request({ method: 'tools/list', params: {} }, anything)
    for (let at = 0; at < count; at += 1) {
      const [name, args] = input(at)
      const params = { name, arguments: args }
      const answer = await client
        .request({ method: 'tools/call', params }, anything, { timeout: 60_000, onprogress: () => {} })
        .catch(error => ({ error: { code: error.code, message: error.message, data: error.data } }))
      seen.answers.push(answer)
    }
  } finally {
    await client.close()
  }
  return seen
}

const running = new Set()
function start(words, options = {}) {
  const [command, ...args] = words
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment, ...options })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Resolves with the first match of `pattern` in what the program writes. */
function waitForLine(child, pattern) {
  return new Promise((resolve, reject) => {
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        text += chunk
        const found = pattern.exec(text)
        if (found) resolve(found)
      })
    child.once('exit', code => reject(new Error(`exited with ${code}: ${text}`)))
  })
}

async function stop(child, signal = 'SIGTERM') {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

const stdio = words => {
  const [command, ...args] = words
  return new StdioClientTransport({ command, args, stderr: 'ignore', env: environment })
}

/** A client that tries both eras starts the server twice, so the second start replaces the file. */
async function record(session, file) {
  if (session.command)
    return talk(stdio([...toolscope, 'tap', '-o', file, '--force', '--', ...session.command]), session)
  const port = 20_000 + (process.pid % 20_000)
  const live = start(session.http, { env: { ...environment, PORT: String(port) } })
  await waitForLine(live, /listening|running/i)
  const tap = start([...toolscope, 'tap', `http://127.0.0.1:${port}/mcp`, '--listen', '0', '-o', file])
  const [, address] = await waitForLine(tap, /ready: (\S+)\n/)
  const seen = await talk(new StreamableHTTPClientTransport(new URL(address)), session)
  await stop(tap)
  // It has no end of its own while a client is connected.
  await stop(live, 'SIGKILL')
  return seen
}

async function replay(session, file) {
  const words = [...toolscope, 'replay', file, '--speed', 'max']
  if (session.command) return talk(stdio(words), session)
  const served = start([...words, '--http', '0'])
  const [, url] = await waitForLine(served, /ready: (\S+)\n/)
  const seen = await talk(new StreamableHTTPClientTransport(new URL(url)), session)
  await stop(served)
  return seen
}

const rows = []
const differing = []
try {
  for (const [index, given] of sessions.entries()) {
    const session = { ...given, count: Math.round(Number(calls) * given.share) }
    const file = join(folder, `${index}.toolrec`)
    const live = await record(session, file)
    const again = await replay(session, file)
    let equal = 0
    for (const [at, answer] of live.answers.entries())
      if (isDeepStrictEqual(answer, again.answers[at])) equal += 1
      else if (differing.length < 20)
        differing.push({ session: session.name, at, answer, replayed: again.answers[at] })
    rows.push({
      session: session.name,
      calls: live.answers.length,
      equal,
      tools: isDeepStrictEqual(live.tools, again.tools),
      notifications: live.notifications.length,
      equalNotifications: isDeepStrictEqual(live.notifications, again.notifications),
    })
  }
  const wrong = rows.reduce((sum, row) => sum + row.calls - row.equal + (row.tools ? 0 : 1), 0)
  const unequal = rows.filter(row => !row.equalNotifications).length
  printReport({
    json,
    tables: { sessions: rows },
    bars: [
      { name: 'answers and lists that differ', value: wrong, max: 0 },
      { name: 'sessions with other notifications', value: unequal, max: 0 },
    ],
    details: { differing },
  })
  for (const each of differing) console.error(JSON.stringify(each).slice(0, 1_000))
} finally {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
