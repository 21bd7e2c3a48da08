import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeTools } from './make-tools.testkit.ts'
import { summarizeFirstLine, summarizeTool } from './summarize-tool.ts'

const one = (entry: Parameters<typeof makeTools>[1][number]) =>
  makeTools('acme', [entry]).map(summarizeTool)[0]

test('summarizeTool: takes the first line of the description that is not blank', () => {
  expect(one({ name: 'api greet', description: '\n\n  Greets.  \nSecond line' })).toEqual({
    ref: 'acme/api greet',
    source: 'acme',
    name: 'api greet',
    summary: 'Greets.',
    callable: true,
    hasOutputSchema: false,
  })
  expect(one({ name: 'x', description: ' \n ' })).not.toHaveProperty('summary')
})

test('summarizeTool: takes the title from the annotations if the tool has none', () => {
  expect(one({ name: 'x', annotations: { title: 'From hints' } })?.title).toBe('From hints')
})

test('summarizeTool: counts an output schema that allows everything as an output schema', () => {
  expect(one({ name: 'x', outputSchema: true })?.hasOutputSchema).toBe(true)
})

test('firstLine: removes characters that would disturb the rows around it', () => {
  expect(summarizeFirstLine('safe\u202egnirts\u0000\u001b[31m\ttext')).toBe('safe gnirts [31m text')
})

test('firstLine: gives one line of at most 200 characters, and cuts no character in two', () => {
  expect(summarizeFirstLine('😀'.repeat(500))).toMatch(/^(?:😀)+…$/u)
  expect(summarizeFirstLine(`${'\n'.repeat(1_000_000)}late`)).toBe('late')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 900 }), text => {
      const line = summarizeFirstLine(text)
      expect(line.length).toBeLessThanOrEqual(200)
      expect(line).not.toMatch(/[\r\n]/u)
    }),
  )
})
