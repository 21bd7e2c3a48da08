import { describe, expect, it } from 'vitest'
import { joinOutput, splitGluedLines } from './protocol.ts'

const unknown = [
  'bash: get-smu: command not found',
  'bash: get-smu: command not found. Did you mean: get-sum?',
]

describe('joinOutput and splitGluedLines', () => {
  it.each(unknown)('begin a new line after: %s', message => {
    expect(joinOutput(message, 'get-sum: no')).toBe(`${message}\nget-sum: no`)
    expect(joinOutput(`a\n${message}`, 'b')).toBe(`a\n${message}\nb`)
    expect(splitGluedLines(`${message}get-sum: no\nb\n`)).toBe(`${message}\nget-sum: no\nb\n`)
  })

  it('begin a new line after each of several messages', () =>
    expect(splitGluedLines(`${unknown.join('')}${unknown.join('')}b`)).toBe(
      `${[...unknown, ...unknown, 'b'].join('\n')}`,
    ))

  it('add no line break after any other text', () => {
    for (const text of [
      'Really?',
      'a',
      'a\n',
      '',
      'say bash: x: command not found',
      ...unknown.map(each => `${each}\n`),
    ]) {
      expect(joinOutput(text, 'b')).toBe(`${text}b`)
      expect(splitGluedLines(`${text}b`)).toBe(`${text}b`)
    }
    for (const message of unknown) {
      expect(joinOutput(message, '')).toBe(message)
      expect(splitGluedLines(message)).toBe(message)
    }
  })
})
