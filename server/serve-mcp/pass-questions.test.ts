/** What clients of both SDK lines receive through `toolscope mcp` of the servers behind it, and what these get back. */

import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../scripts/test-processes.ts'
import { anything } from '../mcp-client/lenient-client.ts'
import { HeldCalls, type McpRequest } from './pass-questions.ts'
import { closeServers, commandOf, everything, info, serveHttp, sourceOf } from './serve-mcp.testkit.ts'

const questions = sourceOf('server/sources/fixtures/mcp-questions.mjs')
const passes = sourceOf('server/sources/fixtures/mcp-passes.mjs')
const passesLegacy = sourceOf('server/sources/fixtures/mcp-passes.mjs', '--legacy')

const all = { elicitation: { form: {}, url: {} }, sampling: {} }
type Capabilities = { elicitation?: { form?: object; url?: object }; sampling?: object }
type Params = Record<string, unknown>
type CallOptions = { meta?: Params; signal?: AbortSignal; onprogress?: (progress: object) => void }

/** What the tests need of a client of either line. */
interface TestClient {
  /** The params of the questions that it received. */
  readonly asked: Params[]
  readonly logs: Params[]
  readonly completed: Params[]
  /** @param options of the SDK, and the request's `_meta` */
  call(name: string, input?: object, options?: CallOptions): Promise<{ text: string; isError?: boolean }>
  setLevel(level: 'warning'): Promise<unknown>
  close(): Promise<void>
}

/** Answers to the questions of the calls of a test; an Error is thrown. */
let elicited: Params | (() => Promise<Params>) = { action: 'accept', content: { name: 'Ada' } }
let sampled: Params | Error = {}
const model = {
  role: 'assistant',
  content: { type: 'text', text: 'A poem.' },
  model: 'tiny-1',
  stopReason: 'maxTokens',
}

const answerElicitation = async () => (typeof elicited === 'function' ? elicited() : elicited)
const answerSampling = async () => {
  if (sampled instanceof Error) throw sampled
  return sampled
}

async function answer(asked: Params[], params: object, find: () => Promise<Params>): Promise<never> {
  asked.push(params as Params)
  // The SDKs check it.
  return (await find()) as never
}

const textOf = ({ content, isError }: Params) => ({
  text: (content as { text: string }[]).map(({ text }) => text).join('\n'),
  ...(isError === true ? { isError } : {}),
})

async function openOld(transport: OldStdio | OldHttp, capabilities: Capabilities = all): Promise<TestClient> {
  const client = new OldClient(info, { capabilities: capabilities as object })
  const asked: Params[] = []
  const logs: Params[] = []
  const completed: Params[] = []
  if (capabilities.elicitation)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(asked, params, answerElicitation))
  if (capabilities.sampling)
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) =>
      answer(asked, params, answerSampling),
    )
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params))
  client.setNotificationHandler(
    ElicitationCompleteNotificationSchema,
    ({ params }) => void completed.push(params),
  )
  // The old SDK's own types do not agree with exactOptionalPropertyTypes.
  await client.connect(transport as never)
  return {
    asked,
    logs,
    completed,
    call: async (name, input = {}, { meta = {}, ...options } = {}) =>
      textOf(await client.callTool({ name, arguments: input as Params, _meta: meta }, undefined, options)),
    setLevel: level => client.setLoggingLevel(level),
    close: () => client.close(),
  }
}

async function openNew(transport: NewStdio | NewHttp, capabilities: Capabilities = all): Promise<TestClient> {
  const client = new NewClient(info, {
    capabilities: capabilities as object,
    versionNegotiation: { mode: 'auto' },
  })
  const asked: Params[] = []
  const logs: Params[] = []
  if (capabilities.elicitation)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(asked, params, answerElicitation))
  if (capabilities.sampling)
    client.setRequestHandler('sampling/createMessage', ({ params }) => answer(asked, params, answerSampling))
  client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params))
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  return {
    asked,
    logs,
    completed: [],
    call: async (name, input = {}, { meta = {}, ...options } = {}) =>
      textOf(await client.callTool({ name, arguments: input as Params, _meta: meta }, options)),
    setLevel: level => client.setLoggingLevel(level),
    close: () => client.close(),
  }
}

const openOldStdio = (sources: readonly string[], capabilities?: Capabilities) =>
  openOld(new OldStdio(commandOf(sources)), capabilities)
const openOldHttp = async (sources: readonly string[], capabilities?: Capabilities) =>
  openOld(new OldHttp(await serveHttp(sources)), capabilities)
const openNewStdio = (sources: readonly string[], capabilities?: Capabilities) =>
  openNew(new NewStdio(commandOf(sources)), capabilities)

const clients: TestClient[] = []
afterAll(async () => {
  for (const client of clients) await client.close()
  closeServers()
})

/** Opens a client that is closed after the tests. */
async function keep(opening: Promise<TestClient>): Promise<TestClient> {
  const client = await opening
  clients.push(client)
  return client
}

const openNewHttp = async (sources: readonly string[]) => openNew(new NewHttp(await serveHttp(sources)))

describe.each([
  ['a legacy client', openOldStdio],
  ['a legacy client over HTTP', openOldHttp],
  ['a client of 2026-07-28', (sources: readonly string[]) => openNewStdio(sources)],
  ['a client of 2026-07-28 over HTTP', openNewHttp],
])('toolscope mcp to %s', (kind, open) => {
  const isLegacy = kind.startsWith('a legacy client')
  let client: TestClient
  beforeAll(async () => {
    client = await keep(open([everything, questions, passes]))
  })

  it('passes on a form of a legacy server and returns the answer', async () => {
    elicited = { action: 'accept', content: { name: 'Ada', integer: 7 } }
    const { text } = await client.call('trigger-elicitation-request')
    expect(text).toMatch(/Name: Ada[\s\S]*Favorite Integer: 7/)
    expect(client.asked.at(-1)).toMatchObject({
      message: 'Please provide inputs for the following fields:',
      requestedSchema: { required: ['name'], properties: { birthdate: { format: 'date' } } },
    })
    const later = await client.call('trigger-elicitation-request-async')
    expect(later.text).toContain('Name: Ada')
    for (const action of ['decline', 'cancel']) {
      elicited = { action }
      expect((await client.call('trigger-elicitation-request')).text).toContain(`"action": "${action}"`)
    }
  })

  it('passes on an address, with the id of its server to a legacy client', async () => {
    elicited = { action: 'accept' }
    const url = 'https://example.com/consent?id=1'
    const input = { url, message: 'Please look.', elicitationId: 'e-1' }
    const { text } = await client.call('trigger-url-elicitation', input)
    expect(text).toContain('User completed the URL elicitation flow')
    const shown = { mode: 'url', url, message: 'Please look.', ...(isLegacy && { elicitationId: 'e-1' }) }
    expect(client.asked.at(-1)).toEqual(shown)
    const again = await client.call('trigger-url-elicitation', { ...input, errorPath: true })
    expect(again.text).toContain('User completed the URL elicitation flow')
    expect(client.asked.slice(-2).map(params => params.url)).toEqual(['https://modelcontextprotocol.io', url])
  })

  it('passes on a sampling request unchanged, and the model’s result', async () => {
    sampled = model
    const { text } = await client.call('trigger-sampling-request', { prompt: 'moon', maxTokens: 77 })
    expect(client.asked.at(-1)).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: expect.stringContaining('moon') } }],
      systemPrompt: 'You are a helpful test server.',
      maxTokens: 77,
      temperature: 0.7,
    })
    expect(JSON.parse(text.replace('LLM sampling result: ', ''))).toEqual(model)
  })

  it('passes on every question of a server of 2026-07-28, over its rounds', async () => {
    const answers = [{ name: 'Ada' }, { nights: 3 }, { agree: true }]
    let index = 0
    elicited = async () => ({ action: 'accept', content: answers[index++] })
    const { text } = await client.call('book-room')
    expect(JSON.parse(text)).toMatchObject({
      guest: { action: 'accept', content: { name: 'Ada' } },
      stay: { action: 'accept', content: { nights: 3 } },
      terms: { action: 'accept', content: { agree: true } },
    })
    elicited = { action: 'accept' }
    expect((await client.call('pay')).text).toContain('"action":"accept"')
    expect(client.asked.at(-1)).toMatchObject({ mode: 'url', url: expect.stringContaining('/checkout/42') })
    sampled = model
    expect(JSON.parse((await client.call('sample')).text)).toEqual({ poem: model })
    expect(client.asked.at(-1)).toMatchObject({ maxTokens: 9, stopSequences: ['END'] })
  })

  it('passes on progress and cancellation during a call', async () => {
    const seen: object[] = []
    const long = { duration: 1, steps: 3 }
    await client.call('trigger-long-running-operation', long, {
      onprogress: (progress: object) => seen.push(progress),
    })
    expect(seen).toContainEqual(expect.objectContaining({ progress: 2, total: 3 }))
    const stop = new AbortController()
    const waiting = client.call('wait', {}, { signal: stop.signal })
    // The calls of one connection arrive in their order.
    await client.call('echo', { message: 'x' })
    stop.abort()
    await expect(waiting).rejects.toThrow()
    let count = '0'
    while (count === '0') count = (await client.call('cancelled')).text
    expect(count).toBe('1')
  })

  it('passes on the trace of the caller', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const trace = { traceparent, tracestate: 'a=1', baggage: 'b=2' }
    const { text } = await client.call('meta', {}, { meta: { ...trace, other: 'stays' } })
    expect(JSON.parse(text)).toEqual({ ...trace, progressToken: expect.anything() })
  })
})

describe.each([
  ['of 2026-07-28', passes],
  ['of the legacy era', passesLegacy],
])('toolscope mcp before a server %s', (_era, source) => {
  it.each([
    ['stdio', openOldStdio],
    ['HTTP', openOldHttp],
  ])('passes on log messages to a legacy client over %s, of the level that it sets', async (_kind, open) => {
    const client = await keep(open([source]))
    await client.call('log')
    await until(() => client.logs.length === 2)
    expect(client.logs).toEqual([
      { level: 'debug', data: 'a detail', logger: expect.stringContaining('passes') },
      { level: 'error', data: { code: 7 }, logger: 'disk' },
    ])
    await client.setLevel('warning')
    await client.call('log')
    await until(() => client.logs.length === 3)
    expect(client.logs[2]).toMatchObject({ level: 'error' })
  })

  it('passes on log messages to a client of 2026-07-28, of the level that its call names', async () => {
    const client = await keep(openNewStdio([source]))
    await client.call('log')
    await client.call('log', {}, { meta: { 'io.modelcontextprotocol/logLevel': 'warning' } })
    expect(client.logs).toEqual([{ level: 'error', data: { code: 7 }, logger: 'disk' }])
  })

  it('passes on the log messages before a question, and while its client answers', async () => {
    const client = await keep(openNewStdio([source]))
    elicited = { action: 'accept' }
    const meta = { 'io.modelcontextprotocol/logLevel': 'info' }
    expect((await client.call('log-and-ask', {}, { meta })).text).toBe('asked')
    const meanwhile = source === passesLegacy ? ['meanwhile'] : []
    const numbers = Array.from({ length: 50 }, (_, index) => index)
    expect(client.logs.map(({ data }) => data)).toEqual([...numbers, ...meanwhile])
  })
})

it.each([
  ['stdio', openOldStdio],
  ['HTTP', openOldHttp],
])('toolscope mcp: notifies a legacy client over %s that what it opened is done', async (_kind, open) => {
  const client = await keep(open([passesLegacy]))
  await client.call('complete')
  await until(() => client.completed.length > 0)
  expect(client.completed).toEqual([{ elicitationId: 'e-7' }])
})

it('toolscope mcp: withdraws a question whose server gave up', async () => {
  const client = await keep(openOldStdio([passesLegacy]))
  elicited = async () => {
    await client.call('give-up-now')
    return new Promise(() => {})
  }
  expect((await client.call('give-up')).text).toBe('It got nothing.')
  expect(client.asked).toHaveLength(1)
})

it.each([
  ['a legacy client', openOldStdio],
  ['a client of 2026-07-28', openNewStdio],
])('toolscope mcp: passes on two questions at once to %s', async (_name, open) => {
  const client = await keep(open([passesLegacy]))
  elicited = async () => ({ action: 'accept', content: { text: String(client.asked.at(-1)?.message) } })
  expect((await client.call('ask-twice')).text).toBe('One? Two?')
})

describe.each([
  ['a legacy client', openOldStdio],
  ['a client of 2026-07-28', openNewStdio],
])('toolscope mcp to %s without the capability', (_name, open) => {
  it('declines every question of a client that declares none', async () => {
    const client = await keep(open([everything], {}))
    expect((await client.call('trigger-elicitation-request')).text).toContain('"action": "decline"')
    const sampling = await client.call('trigger-sampling-request', { prompt: 'moon' })
    expect(sampling).toMatchObject({ isError: true, text: expect.stringContaining('cannot be asked') })
  })

  it('declines only the kinds that the client does not declare', async () => {
    const client = await keep(open([everything], { elicitation: {} }))
    elicited = { action: 'accept', content: { name: 'Bo' } }
    expect((await client.call('trigger-elicitation-request')).text).toContain('Name: Bo')
    const url = { url: 'https://example.com/', message: 'Please look.' }
    expect((await client.call('trigger-url-elicitation', url)).text).toContain('User declined')
    const sampling = await client.call('trigger-sampling-request', { prompt: 'moon' })
    expect(sampling).toMatchObject({
      isError: true,
      text: expect.stringContaining('does not declare sampling'),
    })
    expect(client.asked).toHaveLength(1)
  })
})

it('toolscope mcp: passes on why a client gave no answer of its model', async () => {
  const client = await keep(openOldStdio([everything]))
  sampled = new Error('The budget is spent.')
  const { text, isError } = await client.call('trigger-sampling-request', { prompt: 'moon' })
  expect(isError).toBe(true)
  expect(text).toContain('The budget is spent.')
})

it('toolscope mcp: accepts answers once, and only for the call that asked', async () => {
  const client = new NewClient(info, { capabilities: all, versionNegotiation: { mode: 'auto' } })
  await client.connect(new NewStdio(commandOf([questions])))
  const send = (more: object) =>
    client.request({ method: 'tools/call', params: { name: 'pay', arguments: {}, ...more } }, anything, {
      allowInputRequired: true,
    })
  const first = (await send({})) as { requestState: string }
  expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { checkout: {} } })
  const answers = {
    requestState: first.requestState,
    inputResponses: { checkout: { action: 'accept' } },
  }
  const refusal = 'No call waits for these answers'
  await expect(send({ ...answers, arguments: { other: 1 } })).rejects.toThrow(refusal)
  expect(JSON.stringify(await send(answers))).toContain('accept')
  await expect(send(answers)).rejects.toThrow(refusal)
  await client.close()
})

it('held calls: cancel a call whose client does not come back', async () => {
  const calls = new HeldCalls<object>(20)
  const params = { name: 'ask', input: {} }
  const request = {
    envelope: {},
    signal: new AbortController().signal,
    requestState: () => undefined,
  } as unknown as McpRequest
  let signal: AbortSignal | undefined
  const asked = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } } as const
  const held = await calls.answer(params, request, all, async client => {
    signal = client.signal
    const question = { id: '1', message: 'Who?', mode: 'form', schema: {} } as const
    await client.ask?.(question, { callId: '1', signal, request: asked })
    return {}
  })
  expect(held).toMatchObject({ resultType: 'input_required', inputRequests: { 1: asked } })
  await until(() => signal?.aborted === true)
  const late = { ...request, requestState: () => (held as { requestState: string }).requestState }
  await expect(calls.answer(params, late as McpRequest, all, async () => ({}))).rejects.toThrow(
    'No call waits for these answers',
  )
})
