import { describe, expect, test } from 'vitest'
import { parseCondition } from './condition.ts'
import { Histogram } from './histogram.ts'

/** 1 ms to 100 ms, of 125 calls: 100 ended, 25 were not sent. */
const times = new Histogram()
for (let ms = 1; ms <= 100; ms += 1) times.add(ms)
const measured = { times, calls: 125, errors: 30, ratePerSecond: 50 }
const nothing = { times: new Histogram(), calls: 0, errors: 0, ratePerSecond: 0 }

describe('--fail-if', () => {
  test.each([
    ['p95>90ms', true],
    ['p95>0.09s', true],
    ['p95>96ms', false],
    ['p99.9 >= 100 ms', true],
    ['p50<60ms', true],
    ['max>100ms', false],
    ['max>=100ms', true],
    ['mean<=50.5ms', true],
    ['errors>0', true],
    ['errors>30', false],
    ['errors>=24%', true],
    ['errors>24%', false],
    ['rate<50/s', false],
    ['rate<51', true],
    ['rate<=3000/m', true],
  ])('%s is %s', (text, isMet) => {
    expect(parseCondition(text).isMet(measured)).toBe(isMet)
  })

  test('the figure in its unit', () => {
    const figureText = (text: string) => {
      const condition = parseCondition(text)
      return condition.textOf(condition.readFrom(measured) ?? Number.NaN)
    }
    expect(['max>1s', 'errors>0', 'errors>0%', 'rate<1'].map(figureText)).toEqual([
      '100 ms',
      '30',
      '24%',
      '50/s',
    ])
  })

  test('no call is a failure, whatever the condition says', () => {
    for (const text of ['p95>1s', 'errors>0', 'rate<0'])
      expect([parseCondition(text).isMet(nothing), parseCondition(text).readFrom(nothing)]).toEqual([
        true,
        undefined,
      ])
  })

  test.each([
    ['', 'not a comparison'],
    ['p95', 'not a comparison'],
    ['p95=200ms', 'not a comparison'],
    ['200ms<p95', 'no figure "200ms"'],
    ['p95>', 'not a comparison'],
    ['p95>200', '"200" is not a time with its unit'],
    ['p95>-1ms', 'not a time'],
    ['p0>1ms', 'no figure "p0"'],
    ['p100>1ms', 'no figure "p100"'],
    ['average>1ms', 'no figure "average"'],
    ['constructor>1ms', 'no figure "constructor"'],
    ['errors>1ms', 'not a count or a share'],
    ['rate<5/h', 'not a rate'],
    ['p95>1ms,errors>0', 'a --fail-if of its own'],
  ])('"%s" is refused: %s', (text, why) => {
    expect(() => parseCondition(text)).toThrow(why)
  })
})
