/** Calls that become tasks of their server, in both eras, to their result, cancel, failure and renewal. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { GivenAnswer, Question } from '../../core/tool/question.ts'
import { type CallTask, leavesTask } from '../../core/tool/task.ts'
import type { CallOptions, Session } from '../sources/source.ts'
import {
  callAndWait,
  neverAborted,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from '../sources/testkit.ts'
import { mcpServer } from './mcp-server.ts'

const fixture = resolveInRepository('server/sources/fixtures/mcp-tasks.mjs')
const everything = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const openServer = (...words: string[]) => openSource(['mcp:', process.execPath, ...words])

async function call(session: Session, name: string, options: Partial<CallOptions> = {}, input = {}) {
  const { events, ending } = await callAndWait(session, await toolNamed(session, name), input, options)
  const tasks = events.flatMap(event => (event.type === 'task' ? [event.task] : []))
  return { events, ending, tasks, statuses: tasks.map(({ status }) => status) }
}

/** Calls, and aborts the call once its task is known. */
async function callUntilTask(session: Session, name: string, reason?: unknown) {
  const stop = new AbortController()
  const input = { text: '{}', value: {} }
  const tasks: CallTask[] = []
  const tool = await toolNamed(session, name)
  for await (const event of session.call?.(tool, input, { signal: stop.signal, timeoutMs: 20_000 }) ?? []) {
    if (event.type === 'task') {
      tasks.push(event.task)
      stop.abort(reason)
    } else if (event.type === 'result' || event.type === 'failure') return { ending: event, tasks }
  }
  throw new Error('the call did not end')
}

/** Returns the task requests that the server received, apart from looks. */
async function seenBy(session: Session): Promise<unknown> {
  return (await call(session, 'seen')).ending.structuredContent
}

describe.each(['legacy', 'modern'])('task of a %s MCP server', era => {
  let session: Session
  beforeAll(async () => {
    session = await openServer(fixture, era)
  })
  afterAll(() => session.close())

  it('reports its states, and its result is that of the call', async () => {
    const { ending, tasks, statuses } = await call(session, 'quick')
    expect(ending).toMatchObject({ type: 'result', structuredContent: { n: 7 } })
    expect(statuses.at(0)).toBe('working')
    expect(statuses.at(-1)).toBe('completed')
    expect(tasks[0]).toMatchObject({
      taskId: expect.stringMatching(/^task-quick-/),
      ttlMs: 60_000,
      pollIntervalMs: 100,
    })
    expect(tasks.map(({ statusMessage }) => statusMessage)).toContain('step 1')
  })

  it('asks its question like other calls', async () => {
    const asked: Question[] = []
    const answer = async (question: Question): Promise<GivenAnswer> => {
      asked.push(question)
      return { action: 'accept', content: { colour: 'red' }, by: 'person' }
    }
    const { ending, events } = await call(session, 'asks', { answer })
    expect(asked).toMatchObject([{ message: 'Which colour?', mode: 'form' }])
    expect(ending.structuredContent).toEqual({ answer: { action: 'accept', content: { colour: 'red' } } })
    expect(events.filter(({ type }) => type === 'question' || type === 'answer')).toHaveLength(2)
  })

  it('fails with the error of the task', async () => {
    expect((await call(session, 'fails')).ending).toMatchObject({
      reason: 'tool-error',
      message: 'The server answered with error -32000: disk full',
      meta: { error: { free: 0 } },
    })
  })

  it('fails if the server cancels the task or does not know it any more', async () => {
    expect((await call(session, 'gives-up')).ending).toMatchObject({
      reason: 'tool-error',
      message: 'The server cancelled the task. Its last state is cancelled: out of budget.',
    })
    const { ending } = await call(session, 'vanishes')
    expect(ending).toMatchObject({ type: 'failure', reason: 'tool-error' })
    expect(ending).toHaveProperty('message', expect.stringContaining('Task not found'))
  })

  it('is cancelled at its server by a cancelled call', async () => {
    const { ending, tasks } = await callUntilTask(session, 'endless')
    expect(ending).toMatchObject({
      reason: 'cancelled',
      message: `Cancelled. The server cancelled its task ${tasks[0]?.taskId}.`,
    })
    expect(await seenBy(session)).toContain(`tasks/cancel ${tasks[0]?.taskId}`)
  })

  it('is cancelled at its server by a cancel that comes before the answer that names it', async () => {
    const stop = new AbortController()
    const calling = call(session, 'late', { signal: stop.signal })
    await expect
      .poll(async () => JSON.stringify(await seenBy(session)), { timeout: 30_000 })
      .toContain('made task-late')
    stop.abort()
    const [{ ending, tasks }] = await Promise.all([calling, call(session, 'release')])
    const [task] = tasks
    expect(ending).toMatchObject({
      message: `Cancelled. The server cancelled its task ${task?.taskId}.`,
    })
    expect(await seenBy(session)).toContain(`tasks/cancel ${task?.taskId}`)
  })

  it('is left to its server by a time limit and by a caller that is gone', async () => {
    const late = await call(session, 'endless', { timeoutMs: 300 })
    expect(late.ending).toMatchObject({
      reason: 'timeout',
      message: `The server continues its task ${late.tasks[0]?.taskId} while it runs.`,
      hint: expect.stringContaining('--task'),
    })
    const gone = await callUntilTask(session, 'endless', leavesTask)
    expect(gone.ending).toMatchObject({ reason: 'cancelled' })
    const seen = await seenBy(session)
    for (const { taskId } of [...late.tasks, ...gone.tasks])
      expect(seen).not.toContain(`tasks/cancel ${taskId}`)
  })

  it('is followed again after a restart of a server that keeps its tasks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolscope-tasks-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const first = await openServer(fixture, era, folder)
    const { tasks } = await callUntilTask(first, 'quick', leavesTask)
    const taskId = tasks[0]?.taskId ?? ''
    expect(taskId).toMatch(/^task-quick/)
    await first.close()
    const second = await openServer(fixture, era, folder)
    try {
      const again = await call(second, 'quick', { taskId })
      expect(again.ending).toMatchObject({ type: 'result', structuredContent: { n: 7 } })
      expect(await seenBy(second)).not.toContain('tools/call')
      const lost = await call(second, 'quick', { taskId: 'task-of-another-server' })
      expect(lost.ending).toMatchObject({ type: 'failure', reason: 'tool-error' })
    } finally {
      await second.close()
    }
  })
})

describe('task of a legacy MCP server', () => {
  let session: Session
  beforeAll(async () => {
    session = await openServer(fixture, 'legacy')
  })
  afterAll(() => session.close())

  it('is made of an optional tool only if the caller wants it', async () => {
    const plain = await call(session, 'either')
    expect(plain.tasks).toEqual([])
    expect(plain.ending.structuredContent).toEqual({ asTask: false })
    expect((await call(session, 'either', { asTask: true })).statuses.at(-1)).toBe('completed')
  })
})

describe('task of a modern MCP server', () => {
  it('can want the folders and an answer of a language model, and is cancelled if the user declines', async () => {
    const config = { command: [process.execPath, fixture, 'modern'] }
    const session = await mcpServer.open(config, { name: 'tasks', roots: ['core'] }, testContext)
    try {
      const write = async (): Promise<GivenAnswer> => ({
        action: 'accept',
        content: { text: 'Hi' },
        by: 'person',
      })
      const { ending } = await call(session, 'wants', { answer: write })
      expect(ending.structuredContent).toMatchObject({
        answer: { folders: { roots: [{ name: 'core' }] }, model: { content: { text: 'Hi' } } },
      })
      const declined = await call(session, 'wants', {
        answer: async () => ({ action: 'decline', by: 'person' }),
      })
      expect(declined.ending).toMatchObject({ reason: 'tool-error' })
      expect(declined.ending).toHaveProperty(
        'message',
        expect.stringMatching(
          /^The user declined to answer for a language model\. The server cancelled its task/,
        ),
      )
      expect(declined.statuses.at(-1)).toBe('cancelled')
    } finally {
      await session.close()
    }
  })
})

it('task over HTTP: is followed in a new session after its server forgot the one before, without a second call', async () => {
  const server = await startForgetful()
  const session = await openSource(`mcp:${server.url}`)
  try {
    const { ending } = await call(session, 'pay')
    expect(ending).toMatchObject({ type: 'result', content: [{ text: 'paid by T1' }] })
    expect(server.calls()).toBe(1)
  } finally {
    await session.close()
    server.close()
  }
})

/** A server of the legacy era over HTTP that forgets its session at the first look at a task, and keeps the task. */
async function startForgetful() {
  let session = 1
  let calls = 0
  let looks = 0
  const tools = [{ name: 'pay', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }]
  const tasks = { cancel: {}, requests: { tools: { call: {} } } }
  const describeTask = (status: string) => ({ taskId: `T${calls}`, status, ttl: 60_000, pollInterval: 100 })
  const results: Readonly<Record<string, () => object>> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, tasks },
      serverInfo: { name: 'forgetful', version: '1' },
    }),
    'tools/list': () => ({ tools }),
    'tools/call': () => {
      calls += 1
      return { task: describeTask('working') }
    },
    'tasks/get': () => {
      looks += 1
      if (looks === 1) session += 1
      return describeTask(looks > 2 ? 'completed' : 'working')
    },
    'tasks/result': () => ({ content: [{ type: 'text', text: `paid by T${calls}` }] }),
  }
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
    const { id, method } = JSON.parse(await text(request))
    const isNew = method === 'initialize' || method === 'server/discover'
    if (!isNew && request.headers['mcp-session-id'] !== `s${session}`)
      return response.writeHead(404, { 'content-type': 'text/plain' }).end('Session not found')
    if (id === undefined) return response.writeHead(202).end()
    const result = results[method]?.()
    const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result }
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `s${session}` })
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, calls: () => calls, close: () => http.close() }
}

describe('server-everything', () => {
  let session: Session
  beforeAll(async () => {
    session = await openServer(everything, 'stdio')
  })
  afterAll(() => session.close())

  it('runs a task that requires one and asks a question', async () => {
    const answer = async (): Promise<GivenAnswer> => ({
      action: 'accept',
      content: { interpretation: 'technical' },
      by: 'person',
    })
    const input = { topic: 'tides', ambiguous: true }
    const { ending, statuses } = await call(session, 'simulate-research-query', { answer }, input)
    expect(JSON.stringify(ending.content)).toContain('Research Report: tides (technical)')
    expect(statuses).toEqual(expect.arrayContaining(['working', 'input_required', 'completed']))
  })

  it('lists all its tools, and fetches answers as tasks of the client', async () => {
    await expect
      .poll(async () => (await session.manifest(neverAborted())).tools.length, { timeout: 30_000 })
      .toBe(19)
    const content = { name: 'Ada', favoriteColor: 'Red' }
    const answer = async (): Promise<GivenAnswer> => ({ action: 'accept', content, by: 'person' })
    const asked = await call(session, 'trigger-elicitation-request-async', { answer })
    expect(JSON.stringify(asked.ending.content)).toMatch(/COMPLETED.*Name: Ada/s)
    const said = await call(
      session,
      'trigger-sampling-request-async',
      { answer: async () => ({ action: 'accept', content: { text: 'High tide.' }, by: 'person' }) },
      { prompt: 'Tide?' },
    )
    expect(JSON.stringify(said.ending.content)).toContain('High tide.')
  })

  it('gets the written answer of a language model, or that the user declined', async () => {
    const asked: Question[] = []
    const answerWith = (given: Omit<GivenAnswer, 'by'>) => async (question: Question) => {
      asked.push(question)
      return { ...given, by: 'person' } as const
    }
    const accept = answerWith({ action: 'accept', content: { text: 'It is high tide.' } })
    const input = { prompt: 'Is it high tide?', maxTokens: 50 }
    const said = await call(session, 'trigger-sampling-request', { answer: accept }, input)
    expect(JSON.stringify(said.ending.content)).toContain('It is high tide.')
    expect(asked[0]).toMatchObject({
      purpose: 'sampling',
      message: expect.stringContaining('Is it high tide?'),
      note: expect.stringContaining('at most 50 tokens'),
    })
    const declined = await call(
      session,
      'trigger-sampling-request',
      { answer: answerWith({ action: 'decline' }) },
      input,
    )
    expect(declined.ending).toMatchObject({ type: 'failure', message: expect.stringContaining('declined') })
  })
})
