/** What real servers of both eras ask back during a call, and what they get for an answer. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GivenAnswer, Question } from '../../core/tool/question.ts'
import { limitNow } from '../../scripts/test-processes.ts'
import type { CallOptions, Session } from '../sources/source.ts'
import { callAndWait, openSource, resolveInRepository, toolNamed } from '../sources/testkit.ts'
import { aboutTime } from '../testing/about-time.ts'

const everything = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const questions = resolveInRepository('server/sources/fixtures/mcp-questions.mjs')

const accept = (content: GivenAnswer['content'] = {}): GivenAnswer => ({
  action: 'accept',
  content,
  by: 'person',
})

let session: Session
afterAll(() => session?.close())

const opens = (...words: string[]) =>
  beforeAll(async () => {
    await session?.close()
    session = await openSource(['mcp:', process.execPath, ...words])
  })

/** Calls, gives the answers in order, and says what was asked. */
async function ask(
  tool: string,
  input: object,
  answers: readonly GivenAnswer[],
  options: Partial<CallOptions> = {},
) {
  const asked: Question[] = []
  const answer = async (question: Question) => {
    asked.push(question)
    return answers[asked.length - 1] ?? accept()
  }
  const call = await callAndWait(session, await toolNamed(session, tool), input, { answer, ...options })
  return { ...call, asked, text: JSON.stringify(call.ending.content) }
}

describe('question of an old MCP server', () => {
  opens(everything, 'stdio')

  it('gives it the accepted content, or that the user declined or cancelled', async () => {
    const name = 'trigger-elicitation-request'
    const given = accept({ name: 'Ada', check: true, integer: 7 })
    const { events, asked, text } = await ask(name, {}, [given])
    expect(asked).toMatchObject([
      { mode: 'form', server: expect.stringContaining('everything'), schema: { required: ['name'] } },
    ])
    expect(text).toMatch(/Name: Ada.*Agreed to terms: true.*Favorite Integer: 7/)
    expect(events.map(({ type }) => type)).toEqual(['question', 'answer', 'result'])
    expect(events[1]).toEqual({ type: 'answer', id: asked[0]?.id, answer: given })
    for (const action of ['decline', 'cancel'] as const)
      expect((await ask(name, {}, [{ action, by: 'person' }])).text).toContain(
        `\\"action\\": \\"${action}\\"`,
      )
    const alone = await callAndWait(session, await toolNamed(session, name), {})
    expect(JSON.stringify(alone.ending.content)).toContain('declined')
    expect(alone.events[1]).toMatchObject({ answer: { action: 'decline', by: 'toolscope' } })
  })

  it('may open an address, and may be required before a call', async () => {
    const url = 'https://example.com/consent?id=1'
    const input = { url, message: 'Please look.' }
    const one = await ask('trigger-url-elicitation', input, [])
    expect(one.asked).toMatchObject([{ mode: 'url', url, message: 'Please look.' }])
    const again = await ask('trigger-url-elicitation', { ...input, errorPath: true }, [])
    expect(again.asked.map(each => each.mode === 'url' && each.url)).toEqual([
      'https://modelcontextprotocol.io',
      url,
    ])
    expect(again.ending.type).toBe('result')
  })

  it('stops the time limit while a person answers, and ends at a cancel', async () => {
    const abort = new AbortController()
    let taken: AbortSignal | undefined
    const timeoutMs = limitNow(400)
    const running = ask('trigger-elicitation-request', {}, [], {
      timeoutMs,
      answer: async (_question, signal) => {
        taken = signal
        await new Promise(resolve => setTimeout(resolve, 2 * timeoutMs))
        return accept({ name: 'Slow' })
      },
    })
    expect((await running).text).toContain('Name: Slow')
    const cancelled = await ask('trigger-elicitation-request', {}, [], {
      signal: abort.signal,
      answer: (_question, signal) => {
        taken = signal
        abort.abort()
        return new Promise(() => {})
      },
    })
    expect(cancelled.ending).toMatchObject({ type: 'failure', reason: 'cancelled' })
    expect(taken?.aborted).toBe(true)
  })
})

describe('question of an MCP server of 2026-07-28', () => {
  opens(questions)

  it('may be one of several, over several rounds', async () => {
    const { asked, text, events } = await ask('book-room', {}, [
      accept({ name: 'Ada' }),
      accept({ nights: 3 }),
      { action: 'decline', by: 'person' },
    ])
    expect(asked.map(({ name }) => name)).toEqual(['guest', 'stay', 'terms'])
    expect(JSON.parse(JSON.parse(text)[0].text)).toEqual({
      guest: { action: 'accept', content: { name: 'Ada' } },
      stay: { action: 'accept', content: { nights: 3 } },
      terms: { action: 'decline' },
    })
    expect(events.filter(({ type }) => type === 'question')).toHaveLength(3)
    expect((await ask('think-twice', {}, [])).text).toContain('thought twice')
  })

  it('waits for a person beyond the time limit, and ends at a cancel', async () => {
    const abort = new AbortController()
    const asked: Question[] = []
    const timeoutMs = limitNow(300)
    const { ending, events } = await ask('book-room', {}, [], {
      timeoutMs,
      signal: abort.signal,
      answer: async question => {
        asked.push(question)
        await new Promise(resolve => setTimeout(resolve, 1.5 * timeoutMs))
        if (asked.length === 1) return accept({ name: 'Ada' })
        abort.abort()
        return new Promise(() => {})
      },
    })
    expect(asked).toHaveLength(2)
    expect(ending).toMatchObject({ type: 'failure', reason: 'cancelled' })
    expect(events.filter(({ type }) => type === 'answer')).toMatchObject([
      { answer: { by: 'person' } },
      { answer: { action: 'cancel', by: 'server' } },
    ])
  })

  it('does not stop the time limit of all rounds, whether or not it is answered', aboutTime, async () => {
    const tool = await toolNamed(session, 'think-for-ever')
    for (const options of [{}, { answer: async () => accept() }]) {
      const started = Date.now()
      const { ending } = await callAndWait(session, tool, {}, { timeoutMs: 600, ...options })
      expect(ending).toMatchObject({ type: 'failure', reason: 'timeout' })
      expect(Date.now() - started).toBeLessThan(limitNow(2_000))
    }
  })

  it('is refused for an address that no browser opens, and after twenty questions', async () => {
    expect((await ask('pay', {}, [accept()])).asked).toMatchObject([{ mode: 'url', name: 'checkout' }])
    const script = await ask('script-address', {}, [])
    expect(script.asked).toEqual([])
    expect(script.stderr).toContain('not an http or https address')
    const broken = await ask('broken-address', {}, [])
    expect(broken.asked).toEqual([])
    expect(broken.stderr).toContain('declined: its address is not one that a browser opens')
    const endless = await ask('endless', {}, [])
    expect(endless.asked).toHaveLength(20)
    expect(endless.ending).toMatchObject({ message: expect.stringContaining('more than 20 questions') })
  })
})

it('MCP client: refuses a sampling without messages and says so in the log of the call', async () => {
  const raw = await openSource([
    'mcp:',
    process.execPath,
    resolveInRepository('server/sources/fixtures/mcp-raw.mjs'),
  ])
  try {
    const { ending, stderr } = await callAndWait(raw, { name: 'sample', inputSchema: {} }, {})
    expect(stderr).toContain(
      '[toolscope] A question of the server was declined: it has no messages for the model.',
    )
    expect(JSON.stringify(ending.content)).toContain('The user declined to answer for a language model.')
  } finally {
    await raw.close()
  }
})
