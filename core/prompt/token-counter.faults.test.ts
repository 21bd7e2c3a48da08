import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadTokenCounter, type TokenCounter } from './token-counter.ts'

let counter: TokenCounter
beforeAll(async () => {
  counter = await loadTokenCounter()
})

describe('token counter', () => {
  describe('counts the same in segments as for the whole', () => {
    let whole: (text: string) => number
    beforeAll(async () => {
      const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
      whole = text => countTokens(text, { disallowedSpecial: new Set() })
    })

    // Every kind of character that the encoding's pattern names, and what it names as a whole.
    const words = "name Name NAME x it's WE'LL o'clock 'd é ÉÉ ǅ ʰ 天 a\u0301".split(' ')
    const others = [
      ' ',
      '  ',
      '\t',
      '\u00a0',
      '\n',
      '\r\n',
      '\ud800',
      ..."1 12 1234 ٣ ½ \\n ' ’ 😀".split(' '),
    ]
    const signs = [', ', ': ', ...'" ":" "," \\" { } [ . / // - _ <|endoftext|>'.split(' ')]

    test('in any text', () => {
      const piece = fc.constantFrom(...words, ...others, ...signs)
      fc.assert(
        fc.property(
          fc.array(fc.oneof({ weight: 5, arbitrary: piece }, fc.string({ unit: 'binary' }))),
          pieces => {
            expect(counter.count(pieces.join(''))).toBe(whole(pieces.join('')))
          },
        ),
        { numRuns: 2_000 },
      )
    })

    test('in any JSON', () => {
      fc.assert(
        fc.property(fc.json(), text => {
          expect(counter.count(text)).toBe(whole(text))
        }),
      )
    })

    test('in each ASCII character between each two kinds of neighbours', () => {
      const befores = [...words, ...others]
      const afters = ['s', 'LL', 'é', '1', ' ', '\n', '"', "'s", '/', '']
      const wrong: string[] = []
      for (const before of befores)
        for (let code = 0; code < 128; code++)
          for (const after of afters) {
            const text = `${before}${String.fromCharCode(code)}${after}`
            if (counter.count(text) !== whole(text)) wrong.push(text)
          }
      expect(wrong).toEqual([])
    })
  })

  test('counts six runs of a megabyte in less than 10 seconds', () => {
    const start = process.cpuUsage()
    for (const unit of ['a', ' ', '😀', '/', '天', 'a\u0301'])
      expect(counter.count(unit.repeat(1_000_000 / unit.length))).toBeGreaterThan(1_000)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000)
  })
})
