/** Tasks of the clients of `toolscope mcp`, in both eras, over stdio and HTTP. */

import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepResults, readServerResult } from '../mcp-client/keep-results.ts'
import { anything } from '../mcp-client/lenient-client.ts'
import { callAndWait, openSource, resolveInRepository, toolNamed } from '../sources/testkit.ts'
import { closeServers, commandOf, everything, info, serveHttp, sourceOf } from './serve-mcp.testkit.ts'

const taskServer = 'server/sources/fixtures/mcp-tasks.mjs'
const legacySource = sourceOf(taskServer, 'legacy')
const modernSource = sourceOf(taskServer, 'modern')
const extension = 'io.modelcontextprotocol/tasks'
const research = { name: 'simulate-research-query', arguments: { topic: 'tides', ambiguous: true } }

interface OldParts {
  readonly client: OldClient
  readonly asked: { readonly _meta?: object | undefined }[]
  readonly statuses: string[]
}

async function openOld(transport: OldStdio | OldHttp): Promise<OldParts> {
  const client = new OldClient(info, { capabilities: { elicitation: { form: {} } } })
  const asked: OldParts['asked'] = []
  const statuses: string[] = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params)
    return { action: 'accept', content: { interpretation: 'technical', colour: 'red' } }
  })
  client.setNotificationHandler(
    TaskStatusNotificationSchema,
    ({ params }) => void statuses.push(params.status),
  )
  // The old SDK's own types do not agree with exactOptionalPropertyTypes.
  await client.connect(transport as never)
  await client.listTools()
  return { client, asked, statuses }
}

const callTask = (client: OldClient, name: string, args = {}) =>
  client.request({ method: 'tools/call', params: { name, arguments: args, task: { ttl: 60_000 } } }, anyTask)
const anyTask = CallToolResultSchema.loose().extend({
  content: CallToolResultSchema.shape.content.optional(),
})

async function createTask(client: OldClient, name: string, args = {}): Promise<string> {
  const created = (await callTask(client, name, args)) as { task?: { taskId: string } }
  return created.task?.taskId ?? ''
}

describe.each(['stdio', 'HTTP'])('task of a legacy client over %s', kind => {
  let parts: OldParts
  let other: OldParts | undefined
  beforeAll(async () => {
    const sources = [everything, legacySource]
    if (kind === 'HTTP') {
      const url = await serveHttp(sources)
      parts = await openOld(new OldHttp(url))
      other = await openOld(new OldHttp(url))
    } else {
      parts = await openOld(new OldStdio(commandOf(sources)))
    }
  })
  afterAll(async () => {
    await parts.client.close()
    await other?.client.close()
    closeServers()
  })

  it('is declared, and so is the support of the tools', async () => {
    const { tools } = await parts.client.listTools()
    const supports = new Map(tools.map(({ name, execution }) => [name, execution?.taskSupport]))
    expect(parts.client.getServerCapabilities()?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    })
    expect(supports.get('simulate-research-query')).toBe('optional')
    expect(supports.get('echo')).toBeUndefined()
  })

  it('asks its question and returns the result of the server', async () => {
    const { client, asked, statuses } = parts
    const types: string[] = []
    let text = ''
    for await (const message of client.experimental.tasks.callToolStream(research)) {
      types.push(message.type)
      if (message.type === 'error') throw message.error
      if (message.type === 'result') text = JSON.stringify(message.result)
    }
    expect(types[0]).toBe('taskCreated')
    expect(text).toContain('Research Report: tides (technical)')
    expect(text).toContain('io.modelcontextprotocol/related-task')
    expect(asked.at(-1)?._meta).toMatchObject({
      'io.modelcontextprotocol/related-task': { taskId: expect.any(String) },
    })
    await expect.poll(() => statuses, { timeout: 30_000 }).toContain('completed')
    expect(statuses).toContain('input_required')
  })

  it('is waited for if the client calls without a task', async () => {
    const result = await parts.client.callTool({ name: 'quick' })
    expect(result.structuredContent).toEqual({ n: 7 })
  })

  it('is listed, and cancelled at its server', async () => {
    const { client } = parts
    const taskId = await createTask(client, 'endless')
    const { tasks: listed } = await client.experimental.tasks.listTasks()
    expect(listed.map(task => task.taskId)).toContain(taskId)
    await expect
      .poll(async () => (await client.experimental.tasks.getTask(taskId)).statusMessage, { timeout: 30_000 })
      .toContain('still at it')
    expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({ status: 'cancelled' })
    await expect(client.experimental.tasks.cancelTask(taskId)).rejects.toThrow('already cancelled')
    await expect
      .poll(async () => JSON.stringify((await client.callTool({ name: 'seen' })).content), {
        timeout: 30_000,
      })
      .toContain('tasks/cancel')
  })

  it('fails as its call does', async () => {
    const { client } = parts
    const taskId = await createTask(client, 'fails')
    await expect
      .poll(async () => client.experimental.tasks.getTask(taskId), { timeout: 30_000 })
      .toMatchObject({ status: 'failed', statusMessage: expect.stringContaining('disk full') })
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)
    expect(result).toMatchObject({ isError: true })
  })

  it('is refused for a tool that has no tasks, and unknown to another client', async () => {
    await expect(callTask(parts.client, 'seen')).rejects.toThrow('cannot be called as a task')
    if (other === undefined) return
    const taskId = await createTask(parts.client, 'quick')
    await expect(other.client.experimental.tasks.getTask(taskId)).rejects.toThrow('Task not found')
    const { tasks: listed } = await other.client.experimental.tasks.listTasks()
    expect(listed).toEqual([])
  })
})

interface ModernTask {
  readonly resultType: string
  readonly taskId: string
  readonly status: string
  readonly result?: { readonly structuredContent?: unknown }
  readonly error?: { readonly message: string }
  readonly inputRequests?: Readonly<Record<string, unknown>>
}

describe('task of a client of 2026-07-28', () => {
  let client: NewClient
  const send = async (method: string, params: Record<string, unknown>, to = client) =>
    // The SDK's client rejects a task as the answer to a call.
    readServerResult(
      await to.request({ method, params }, anything, { allowInputRequired: true }),
    ) as ModernTask
  const callTool = (name: string) => send('tools/call', { name, arguments: {} })
  async function follow({ taskId }: ModernTask, until: (task: ModernTask) => boolean): Promise<ModernTask> {
    let task: ModernTask | undefined
    const look = async () => {
      task = await send('tasks/get', { taskId })
      return until(task)
    }
    await expect.poll(look, { timeout: 30_000 }).toBe(true)
    return task as ModernTask
  }
  const open = async (extensions: object | undefined, sources = [everything, modernSource]) => {
    const capabilities = { elicitation: { form: {} }, ...(extensions && { extensions }) }
    const opened = new NewClient(info, {
      capabilities: capabilities as object,
      versionNegotiation: { mode: 'auto' },
    })
    await opened.connect(keepResults(new NewStdio(commandOf(sources))))
    return opened
  }
  beforeAll(async () => {
    client = await open({ [extension]: {} })
  })
  afterAll(() => client.close())

  it('is made if the source made one, of either era', async () => {
    expect(client.getServerCapabilities()?.extensions).toEqual({ [extension]: {} })
    const created = await callTool('quick')
    expect(created).toMatchObject({ resultType: 'task', status: 'working', taskId: expect.any(String) })
    const ended = await follow(created, ({ status }) => status === 'completed')
    expect(ended.result?.structuredContent).toEqual({ n: 7 })
    const legacy = await send('tools/call', { ...research })
    const asking = await follow(legacy, ({ status }) => status === 'input_required')
    const [name = ''] = Object.keys(asking.inputRequests ?? {})
    const answer = { action: 'accept', content: { interpretation: 'technical' } }
    await send('tasks/update', { taskId: legacy.taskId, inputResponses: { [name]: answer } })
    const report = await follow(legacy, ({ status }) => status === 'completed')
    expect(JSON.stringify(report.result)).toContain('Research Report: tides (technical)')
  })

  it('is completed if the tool fails', async () => {
    const ended = await follow(await callTool('fails'), ({ status }) => status === 'completed')
    expect(ended.result).toMatchObject({ isError: true })
  })

  it('is cancelled, and refused to a client that does not declare the extension', async () => {
    const created = await callTool('endless')
    await send('tasks/cancel', { taskId: created.taskId })
    await follow(created, ({ status }) => status === 'cancelled')
    const plain = await open(undefined, [modernSource])
    try {
      expect((await send('tools/call', { name: 'quick', arguments: {} }, plain)).resultType).not.toBe('task')
      await expect(send('tasks/get', { taskId: created.taskId }, plain)).rejects.toMatchObject({
        code: -32021,
      })
    } finally {
      await plain.close()
    }
    await expect(send('tasks/get', { taskId: 'another' })).rejects.toThrow('Task not found')
  })
})

describe.each(['legacy', 'modern'])('toolscope before toolscope mcp with a %s source', era => {
  it('follows a task through both, with its question', async () => {
    const source = era === 'legacy' ? legacySource : modernSource
    const program = resolveInRepository('dist/server/main.js')
    const session = await openSource(['mcp:', process.execPath, program, 'mcp', source])
    try {
      const tool = await toolNamed(session, 'asks')
      const answer = async () => ({ action: 'accept', content: { colour: 'red' }, by: 'person' }) as const
      const { events, ending } = await callAndWait(session, tool, {}, { answer })
      expect(ending.structuredContent).toEqual({ answer: { action: 'accept', content: { colour: 'red' } } })
      expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['task', 'question', 'answer']))
    } finally {
      await session.close()
    }
  })
})
