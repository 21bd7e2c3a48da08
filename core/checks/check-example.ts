/** Compares the ending of an example's call with what was expected. */

import type { Json } from '../json/json.ts'
import type { EndedEvent, Validation } from '../tool/invocation.ts'
import { toOutcome } from '../tool/outcome.ts'
import { readStructure, toResultValue } from '../tool/result-value.ts'
import { issueLine } from '../validation/read-issues.ts'
import { assessAnswer } from './assess-answer.ts'
import { type Difference, findDifferences } from './differences.ts'
import type { Example } from './example.ts'

export interface ExampleOutcome {
  readonly status: 'passed' | 'failed'
  /** One line: `the result differs at 3 locations`, `the call failed: exit 1`. */
  readonly message: string
  readonly differences: readonly Difference[]
  /** Differences that are not listed. */
  readonly more?: number
  readonly durationMs?: number
}

/** @param validate validates a value against a schema, as the server does */
export async function checkExample(
  { expect }: Pick<Example, 'expect'>,
  ending: EndedEvent,
  validate: (schema: Json, value: Json) => Promise<Validation>,
): Promise<ExampleOutcome> {
  const failed = describeFailure(ending)
  if (expect !== undefined && 'fails' in expect) return checkFailure(expect.fails, failed)
  if (expect !== undefined && ('refuses' in expect || 'accepts' in expect))
    return checkContract('refuses' in expect ? expect.refuses : undefined, ending)
  if (failed !== undefined) return bad(`the call failed: ${failed.message}`)
  if (expect !== undefined && 'exact' in expect) {
    // An expected text may be JSON too: it was written before the result was read as JSON.
    const { exact } = expect
    const expected = typeof exact === 'string' ? readStructure(exact) : exact
    const { differences, more } = findDifferences(expected, toResultValue(ending))
    const count = differences.length + more
    if (count === 0) return good('the result is the expected one')
    return bad(`the result differs at ${count} ${count === 1 ? 'location' : 'locations'}`, differences, more)
  }
  if (expect !== undefined && 'schema' in expect)
    return ofValidation(await validate(expect.schema, toResultValue(ending)), 'the expected schema', true)
  const demanded = expect !== undefined
  return ofValidation(ending.validation, 'the output schema', demanded)
}

/** Returns why the call failed, including an error that the tool itself reports; undefined for a good result. */
function describeFailure(ending: EndedEvent): { reason: string; message: string } | undefined {
  const reason = toOutcome(ending)
  if (reason === 'ok') return undefined
  return { reason, message: ending.type === 'failure' ? `${reason}, ${ending.message}` : 'the tool says so' }
}

function checkFailure(
  wanted: string | true,
  failed: { reason: string; message: string } | undefined,
): ExampleOutcome {
  if (failed === undefined) return bad('the call was expected to fail and gave a result')
  if (wanted === true || failed.reason === wanted) return good(`it fails as expected: ${failed.reason}`)
  return bad(`the call was expected to fail with "${wanted}" and failed with ${failed.message}`)
}

/** @param field the field that a refusal names; undefined if the input is valid */
function checkContract(field: string | undefined, ending: EndedEvent): ExampleOutcome {
  const constraint = { pointer: '', keyword: '', value: undefined }
  const kind = field === undefined ? 'valid' : 'invalid'
  const { verdict, message } = assessAnswer({ kind, field: field ?? '', constraint }, ending)
  if (verdict !== 'ok') return bad(`${verdict}: ${message}`)
  return good(kind === 'valid' ? 'the tool accepts the input' : 'the tool refuses the input as expected')
}

function ofValidation(validation: Validation, what: string, demanded: boolean): ExampleOutcome {
  const { verdict, issues, more = 0, note } = validation
  if (verdict === 'valid') return good(`the result fits ${what}`)
  if (verdict === 'invalid') {
    const differences = issues.map(issue => ({
      path: issue.path,
      expected: issue.expected ?? issueLine(issue),
      ...(issue.actual === undefined ? {} : { actual: issue.actual }),
    }))
    const count = differences.length + more
    return bad(
      `the result breaks ${what} at ${count} ${count === 1 ? 'location' : 'locations'}`,
      differences,
      more,
    )
  }
  if (!demanded) return good('the call gave a result')
  if (verdict === 'unchecked') return bad(`${what} could not be applied${note ? `: ${note}` : ''}`)
  return bad('the tool declares no output schema')
}

function good(message: string): ExampleOutcome {
  return { status: 'passed', message, differences: [] }
}

function bad(message: string, differences: readonly Difference[] = [], more = 0): ExampleOutcome {
  return { status: 'failed', message, differences, ...(more > 0 ? { more } : {}) }
}
