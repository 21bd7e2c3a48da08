/** An example's expectation in words, and those that a result can give. */
import type { Example, Expectation } from '../../../core/example/example.ts'
import { type EndedCall, resultOf } from '../../../core/example/outcome.ts'
import { schemaOf } from '../../../core/example/schema-of.ts'

export function expectationText({ expect }: Example): string {
  if (expect === undefined) return 'any good result'
  if ('exact' in expect) return 'this very result'
  if ('schema' in expect) return 'a result of this shape'
  if ('outputSchemaValid' in expect) return 'valid output'
  return expect.fails === true ? 'a failure' : `fails: ${expect.fails}`
}

export interface Choice {
  readonly id: string
  readonly label: string
  /** Undefined takes the expectation away. */
  readonly expect: Expectation | undefined
}

/** What can be expected from now on, by the last call's ending. */
export function choicesOf(ending: EndedCall | undefined): readonly Choice[] {
  const always: Choice[] = [
    { id: 'any', label: 'Any good result', expect: undefined },
    { id: 'valid', label: 'Output that fits its schema', expect: { outputSchemaValid: true } },
  ]
  if (ending === undefined) return always
  if (ending.type === 'failure')
    return [
      ...always,
      { id: 'fails', label: `The failure: ${ending.reason}`, expect: { fails: ending.reason } },
    ]
  const result = resultOf(ending)
  return [
    ...always,
    { id: 'exact', label: 'The last result, exactly', expect: { exact: result } },
    { id: 'schema', label: 'The shape of the last result', expect: { schema: schemaOf(result) } },
  ]
}

/** A name that no example has yet: `example 3`. */
export function freeName(taken: readonly string[]): string {
  let count = taken.length + 1
  while (taken.includes(`example ${count}`)) count += 1
  return `example ${count}`
}
