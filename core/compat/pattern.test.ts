import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadPatterns, Patterns } from './pattern.ts'
import { Budget, defaultProofLimits, Undecided } from './proof-limits.ts'
import { TextSearch } from './shortest-text.ts'

beforeAll(loadPatterns)

const runs = Number(globalThis.process?.env.COMPAT_RUNS ?? 500)

function tools() {
  const patterns = new Patterns()
  return {
    patterns,
    search: new TextSearch(patterns.languages, new Budget({ ...defaultProofLimits, steps: 5_000_000 })),
  }
}

const expressions = fc.letrec<{ expression: string }>(tie => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '^', '$', '\\b', '\\B', '\\s', 'é'),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => a + b),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
      .map(([a, times]) => `(?:${a})${times}`),
    fc
      .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('expression'))
      .map(([start, a]) => `${start}${a})`),
  ),
})).expression
const texts = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '\n', 'é', '-', 'ſ'), maxLength: 6 })

describe('pattern engine', () => {
  test('accepts the texts that RegExp accepts, unless it is undecided', () => {
    let decided = 0
    fc.assert(
      fc.property(expressions, fc.array(texts, { minLength: 8, maxLength: 8 }), (source, samples) => {
        const { patterns, search } = tools()
        const expected = new RegExp(source, 'u')
        try {
          const language = patterns.language(source)
          for (const text of samples)
            expect(search.matches(language, text), `/${source}/ on ${JSON.stringify(text)}`).toBe(
              expected.test(text),
            )
          decided += 1
        } catch (error) {
          if (!(error instanceof Undecided)) throw error
        }
      }),
      { numRuns: runs },
    )
    expect(decided).toBeGreaterThan(runs / 2)
  })

  test('finds a matching text of the wanted length, or proves that none exists', () => {
    let decided = 0
    fc.assert(
      fc.property(
        expressions,
        expressions,
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 0, max: 3 }),
        fc.array(texts, { minLength: 20, maxLength: 20 }),
        (first, second, min, extra, samples) => {
          const { patterns, search } = tools()
          const { languages } = patterns
          const max = min + extra
          const fits = (text: string) =>
            new RegExp(first, 'u').test(text) &&
            !new RegExp(second, 'u').test(text) &&
            [...text].length >= min &&
            [...text].length <= max
          try {
            const language = languages.both([
              patterns.language(first),
              languages.not(patterns.language(second)),
            ])
            const found = search.find(language, min, max)
            if (found !== undefined)
              expect(fits(found), `${JSON.stringify(found)} for /${first}/ not /${second}/`).toBe(true)
            else expect(samples.filter(fits), `/${first}/ not /${second}/`).toEqual([])
            decided += 1
          } catch (error) {
            if (!(error instanceof Undecided)) throw error
          }
        },
      ),
      { numRuns: runs },
    )
    expect(decided).toBeGreaterThan(runs / 2)
  })
})
