import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonSchema, Tool } from '../tool/tool.ts'
import { measurePrompt } from './measure.ts'
import { promptParts, wirePrompt } from './prompt.ts'
import { promptFormats } from './prompt-formats.ts'
import { loadTokenCounter, rememberingCounter, type TokenCounter } from './token-counter.ts'

let counter: TokenCounter
beforeAll(async () => {
  counter = await loadTokenCounter()
})
const count = async (texts: readonly string[]) => texts.map(text => counter.count(text))

const shared = {
  type: 'object',
  properties: { team: { type: 'string', description: 'The team it belongs to.' } },
}
const words = ['deploy', 'service', 'user', 'invoice', 'report', 'cluster', 'secret', 'ticket']
/** Tools of the kind that servers have: a sentence, and a handful of described parameters. */
const tools: readonly Tool[] = Array.from({ length: 60 }, (_, index) => {
  const word = words[index % words.length] ?? ''
  const name = `${word}_${index}`
  const properties: Record<string, JsonSchema> = { owner: shared }
  for (let at = 0; at <= index % 5; at++)
    properties[`${word}_${at}`] = {
      type: 'string',
      description: `Which ${word} is meant, by its number ${at}.`,
    }
  return {
    ref: `s${index % 3}/${name}`,
    source: `s${index % 3}`,
    name,
    index,
    callable: true,
    description: `Does something with a ${word}, and says what came of it. Use it when asked for number ${index}.`,
    inputSchema: { type: 'object', properties, required: ['owner'] },
  }
})

describe('measurePrompt', () => {
  test.each(promptFormats)('counts %s tool by tool within one percent of the whole', async format => {
    for (const compact of [false, true]) {
      const options = { format, compact, set: 'toolscope' }
      const { total, tools: counted, frame } = await measurePrompt(tools, options, count)
      const whole = counter.count(wirePrompt(promptParts(tools, options)))
      expect(Math.abs(total - whole) / whole).toBeLessThan(0.01)
      expect(counted.reduce((sum, { tokens }) => sum + tokens, frame)).toBe(total)
    }
  })

  test('says what compact saves, and what each source costs', async () => {
    const measure = await measurePrompt(tools, { format: 'openai', compact: true, set: 'x' }, count)
    expect(measure.total).toBe(measure.compact)
    expect(measure.compact).toBeLessThan(measure.full)
    expect(measure.saved).toBeCloseTo(1 - measure.compact / measure.full)
    expect(measure.sources.map(({ source }) => source)).toEqual(['s0', 's1', 's2'])
    expect(measure.sources.reduce((sum, { tokens }) => sum + tokens, measure.frame)).toBe(measure.total)
  })

  test('lists a field that many tools share once, and first', async () => {
    const { fields } = await measurePrompt(tools, { format: 'anthropic', compact: false, set: 'x' }, count)
    expect(fields[0]).toMatchObject({ path: '/inputSchema/properties/owner', tools: 60, name: 's0_deploy_0' })
    expect(fields[0]?.tokens).toBe(counter.count(`"owner":${JSON.stringify(shared)}`))
    expect(fields.length).toBe(20)
  })

  test('fills a budget from the first tool on, and with the lightest tools', async () => {
    const light = (name: string, description: string): Tool => ({
      ref: `a/${name}`,
      source: 'a',
      name,
      index: 0,
      callable: true,
      description,
      inputSchema: {},
    })
    const list = [light('b', 'x'.repeat(5)), light('a', 'long words '.repeat(100)), light('c', 'y'.repeat(5))]
    const options = { format: 'anthropic', compact: false, set: 'a' } as const
    const first = await measurePrompt(list, options, count)
    const [one = 0, two = 0, three = 0] = first.tools.map(({ tokens }) => tokens)
    const budget = async (tokens: number) => (await measurePrompt(list, options, count, tokens)).budget
    expect(await budget(first.frame + one + three)).toEqual({
      tokens: first.frame + one + three,
      inOrder: 1,
      atMost: 2,
    })
    expect(await budget(first.total)).toMatchObject({ inOrder: 3, atMost: 3 })
    expect(await budget(first.frame + one + two)).toMatchObject({ inOrder: 2, atMost: 2 })
    expect(await budget(1)).toMatchObject({ inOrder: 0, atMost: 0 })
  })

  test('gives empty lists for no tools', async () => {
    const measure = await measurePrompt([], { format: 'mcp', compact: false, set: 'x' }, count, 10)
    expect(measure).toMatchObject({ tools: [], sources: [], fields: [] })
  })
})

describe('token counter', () => {
  test('gives the counts known from the encoding’s examples', () => {
    // The encoding’s own examples: https://github.com/openai/tiktoken
    expect(counter.count('hello world')).toBe(2)
    expect(counter.count('')).toBe(0)
  })

  test('counts special tokens as text', () => {
    expect(counter.count('<|endoftext|>')).toBeGreaterThan(1)
  })

  test('estimates a long text from its beginning', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog. '
    const many = counter.count(sentence.repeat(20_000))
    expect(many / (counter.count(sentence.repeat(1_000)) * 20)).toBeCloseTo(1, 2)
  })

  test('remembers what it counted', () => {
    let calls = 0
    const remembering = rememberingCounter({
      count: text => {
        calls += 1
        return text.length
      },
    })
    expect([remembering.count('abc'), remembering.count('abc'), remembering.count('d')]).toEqual([3, 3, 1])
    expect(calls).toBe(2)
  })
})
