import { expect, test } from 'vitest'
import { defaultScriptLimits } from '../../../core/script/protocol.ts'
import { currentLimits, parseLimits, setLimits } from './script-limits.ts'

test('script limits: reads the valid part of what was stored', () => {
  expect(parseLimits('{"timeMs":5000,"calls":3}')).toEqual({ timeMs: 5_000, calls: 3 })
  // A default, a fraction, more than the engine does, and a value that is not a limit.
  expect(parseLimits('{"timeMs":300000,"calls":1.5,"commands":100001,"memory":1}')).toEqual({})
  for (const text of [null, '', '[]', 'null', '{"calls":"3"}', '{"calls":0}'])
    expect(parseLimits(text)).toEqual({})
})

test('script limits: applies a set limit to the next run, and keeps the others', () => {
  setLimits({ calls: 3 })
  expect(currentLimits()).toEqual({ ...defaultScriptLimits, calls: 3 })
  setLimits({})
  expect(currentLimits()).toEqual(defaultScriptLimits)
})
