import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineEndpoints } from '../../core/api/endpoint.ts'
import { createHono, limitBody, serve } from './serve-endpoints.ts'

const endpoints = defineEndpoints({
  'GET /api/lines': {
    about: 'Numbers.',
    right: 'read',
    format: 'lines',
    answer: z.object({ n: z.number() }),
  },
  'POST /api/length': {
    about: 'The length of the body.',
    right: 'read',
    format: 'text',
    body: z.object({}),
    answer: z.string(),
  },
})

function serving(lines: (signal: AbortSignal) => AsyncGenerator<{ n: number }>) {
  const app = createHono()
  app.use(limitBody)
  const routes = serve(endpoints, {
    'GET /api/lines': ({ signal }) => lines(signal),
    'POST /api/length': ({ bodyText }) => `${bodyText.length}`,
  })
  return app.route('/', routes)
}

test('serve: answers lines that end soon in one body', async () => {
  const app = serving(async function* () {
    yield { n: 1 }
    yield { n: 2 }
  })
  const answer = await app.request('/api/lines')
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(await answer.text()).toBe('{"n":1}\n{"n":2}\n')
})

test('serve: sends slow lines one by one as they come', async () => {
  let goOn = () => {}
  const app = serving(async function* () {
    yield { n: 1 }
    await new Promise<void>(resolve => {
      goOn = resolve
    })
    yield { n: 2 }
  })
  const answer = await app.request('/api/lines')
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect(await reader?.read()).toEqual({ done: false, value: '{"n":1}\n' })
  goOn()
  expect(await reader?.read()).toEqual({ done: false, value: '{"n":2}\n' })
  expect((await reader?.read())?.done).toBe(true)
})

test('serve: sends endless lines in parts', async () => {
  const app = serving(async function* () {
    for (let n = 0; ; n++) yield { n }
  })
  const reader = (await app.request('/api/lines')).body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  expect(value?.length).toBeGreaterThan(60_000)
  expect(value?.length).toBeLessThan(70_000)
  await reader?.cancel()
})

/** Serves lines without end. `ended` is called at their end, with whether they were aborted. */
function servingUntilAborted(ended: (isAborted: boolean) => void) {
  return serving(async function* (signal) {
    try {
      yield { n: 1 }
      await setTimeoutPromise(60_000, undefined, { signal }).catch(() => {})
      yield { n: 2 }
      yield { n: 3 }
    } finally {
      ended(signal.aborted)
    }
  })
}

test('serve: aborts and ends the generator of lines when the client stops reading', async () => {
  const ended = vi.fn()
  const reader = (await servingUntilAborted(ended).request('/api/lines')).body?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect(ended).toHaveBeenCalledWith(true)
})

test('serve: ends the generator of lines when only the headers are asked for', async () => {
  const ended = vi.fn()
  const answer = await servingUntilAborted(ended).request('/api/lines', { method: 'HEAD' })
  expect(answer.status).toBe(200)
  expect(ended).toHaveBeenCalledWith(true)
})

test('serve: answers 500 for an early error, and breaks the stream off for a late one', async () => {
  const soon = serving(async function* () {
    yield { n: 1 }
    throw new Error('broken')
  })
  expect((await soon.request('/api/lines')).status).toBe(500)
  const late = serving(async function* () {
    yield { n: 1 }
    await setTimeoutPromise(50)
    throw new Error('broken')
  })
  const answer = await late.request('/api/lines')
  await expect(answer.text()).rejects.toThrow('broken')
})

test('serve: ends the answer, not the process, when a line fails before it is read', async () => {
  const app = serving(async function* () {
    yield { n: 1 }
    await setTimeoutPromise(50)
    yield { n: 2 }
    throw new Error('broken')
  })
  const reader = (await app.request('/api/lines')).body?.getReader()
  await reader?.read()
  // The second line is made, and the third fails, before they are asked for.
  await setTimeoutPromise(100)
  expect((await reader?.read())?.done).toBe(false)
  await setTimeoutPromise(20)
  await expect(reader?.read()).rejects.toThrow('broken')
})

test('serve: refuses a body over 32 MiB, whether its length is given or not', async () => {
  const app = serving(async function* () {})
  const post = (body: string, headers: Record<string, string>) =>
    app.request('/api/length', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const large = `{"a":"${'a'.repeat(32 * 1024 * 1024)}"}`
  expect(await (await post('{}', { 'content-length': '2' })).text()).toBe('2')
  expect(await (await post('{}', {})).text()).toBe('2')
  for (const headers of [
    { 'content-length': `${large.length}` },
    { 'content-length': '2', 'transfer-encoding': 'chunked' },
    {},
  ]) {
    const answer = await post(large, headers as Record<string, string>)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('over 32 MiB')])
  }
})
