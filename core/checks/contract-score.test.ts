import { expect, test } from 'vitest'
import { type ScoredCall, scoreServer, scoreTool } from './contract-score.ts'

const call = (kind: ScoredCall['kind'], verdict: ScoredCall['verdict'], isOutputChecked = false) => ({
  kind,
  verdict,
  isOutputChecked,
})

test('contract score: a tool that keeps everything has 100', () => {
  const calls = [call('valid', 'ok', true), call('invalid', 'ok')]
  expect(scoreTool(calls, true)).toMatchObject({ total: 100, calls: 2 })
})

test('contract score: parts that no call tested do not count', () => {
  const { total, parts } = scoreTool([call('valid', 'ok')], true)
  expect(total).toBe(100)
  expect(parts).toEqual({ staysAlive: 1, declaresOutput: 1 })
})

test('contract score: each fault lowers its own part', () => {
  const calls = [
    call('valid', 'output-invalid', true),
    call('invalid', 'accepted-silently'),
    call('invalid', 'field-not-named'),
    call('invalid', 'crash'),
  ]
  const { parts, total } = scoreTool(calls, false)
  expect(parts).toEqual({
    staysAlive: 0.75,
    refusesForbidden: 0.5,
    namesField: 0,
    keepsOutput: 0,
    declaresOutput: 0,
  })
  expect(total).toBe(38)
})

test.each(['refused-valid', 'protocol-error', 'stack-trace'] as const)(
  'contract score: a valid input with the verdict %s lowers the output part',
  verdict => {
    const calls = [call('valid', verdict), call('valid', 'ok', true), call('invalid', 'ok')]
    const { parts, total } = scoreTool(calls, true)
    expect(parts.keepsOutput).toBe(0.5)
    expect(total).toBeLessThan(100)
  },
)

test('contract score: a server without tested tools is not tested', () => {
  const untested = scoreTool([call('valid', 'not-tested')], true)
  expect(scoreServer([untested]).total).toBe('not tested')
  expect(scoreServer([untested, scoreTool([call('valid', 'ok')], false)])).toMatchObject({ total: 75 })
})
