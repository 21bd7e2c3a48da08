import { describe, expect, it } from 'vitest'
import type { EndedEvent, Validation } from '../tool/invocation.ts'
import { toResultValue } from '../tool/result-value.ts'
import { checkExample } from './check-example.ts'

const timing = { startedAt: '', durationMs: 1 }
const result = (
  structuredContent: unknown,
  verdict: Validation['verdict'] = 'no schema',
  raw?: string,
): EndedEvent => ({
  type: 'result',
  content: [],
  structuredContent,
  ...(raw === undefined ? {} : { raw }),
  validation: {
    verdict,
    issues: verdict === 'invalid' ? [{ path: '/a', keyword: 'type', message: 'no' }] : [],
  },
  timing,
})
const failure: EndedEvent = {
  type: 'failure',
  reason: 'exit',
  message: 'exit 1',
  content: [],
  validation: { verdict: 'unchecked', issues: [] },
  timing,
}
const fits = async (): Promise<Validation> => ({ verdict: 'valid', issues: [] })
const judge = (expectation: Parameters<typeof checkExample>[0]['expect'], ending: EndedEvent) =>
  checkExample(expectation === undefined ? {} : { expect: expectation }, ending, fits)

describe('checkExample without an expectation', () => {
  it.each([
    ['a result', result(1), 'passed'],
    ['a valid result', result(1, 'valid'), 'passed'],
    ['an invalid result', result(1, 'invalid'), 'failed'],
    ['a result that calls itself an error', { ...result(1), isError: true }, 'failed'],
    ['a failure', failure, 'failed'],
  ])('judges %s (case %#)', async (_, ending, status) => {
    expect((await judge(undefined, ending)).status).toBe(status)
  })
})

describe('checkExample with an expectation', () => {
  it.each([
    [{ exact: 1 }, result(1, 'invalid'), 'passed'],
    [{ exact: 2 }, result(1), 'failed'],
    [{ exact: 1 }, failure, 'failed'],
    [{ schema: {} }, result(1), 'passed'],
    [{ outputSchemaValid: true }, result(1, 'valid'), 'passed'],
    [{ outputSchemaValid: true }, result(1, 'no schema'), 'failed'],
    [{ outputSchemaValid: true }, result(1, 'unchecked'), 'failed'],
    [{ fails: true }, failure, 'passed'],
    [{ fails: 'exit' }, failure, 'passed'],
    [{ fails: 'timeout' }, failure, 'failed'],
    [{ fails: 'tool-error' }, { ...result(1), isError: true }, 'passed'],
    [{ fails: true }, result(1), 'failed'],
    [{ refuses: '/size' }, { ...failure, stderr: 'size is too big' }, 'passed'],
    [{ refuses: '/size' }, { ...failure, stderr: 'no' }, 'failed'],
    [{ refuses: '/size' }, { ...failure, stderr: 'size', signal: 'SIGSEGV' }, 'failed'],
    [{ refuses: '/size' }, result(1), 'failed'],
    [{ accepts: true }, result(1), 'passed'],
    [{ accepts: true }, { ...failure, stderr: 'no such file' }, 'passed'],
    [{ accepts: true }, { ...failure, stderr: 'Input validation error' }, 'failed'],
    [{ accepts: true }, result(1, 'invalid'), 'failed'],
  ] as const)('judges an answer by %j (case %#)', async (wanted, ending, status) => {
    expect((await judge(wanted, ending)).status).toBe(status)
  })
})

it('toResultValue: keeps the digits of the raw text', () => {
  const ending = result(12345678901234567000, 'no schema', '12345678901234567890')
  expect(JSON.stringify(toResultValue(ending))).toContain('12345678901234567890')
})

it('toResultValue: gives the text if there is no JSON', () => {
  const { structuredContent, ...rest } = result(undefined) as EndedEvent & { structuredContent?: unknown }
  expect(
    toResultValue({
      ...rest,
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    }),
  ).toBe('a\nb')
})
