/** Issues as their readers need them: one line in a list, or one message at a field. */
import type { ValidationIssue } from '../call/invocation.ts'

/** The message with its details: `must look like b-123 (pattern ^b-[0-9]+$)`. */
export function issueLine({ message, details }: ValidationIssue): string {
  return details === undefined ? message : `${message} (${details})`
}

export interface FieldMessage {
  /** The one sentence that helps most. */
  readonly message: string
  /** Its details, and what else is wrong, a line each. */
  readonly details: readonly string[]
}

/** What explains the others comes first: a missing or mistyped value breaks many keywords. */
const order = ['secret', 'required', 'type', 'const', 'enum', 'format', 'pattern']

/** The issues of one field as one message. Undefined where it has none. */
export function fieldMessage(issues: readonly ValidationIssue[]): FieldMessage | undefined {
  const rank = ({ keyword }: ValidationIssue) =>
    order.includes(keyword) ? order.indexOf(keyword) : order.length
  const [first, ...others] = issues.toSorted((left, right) => rank(left) - rank(right))
  if (first === undefined) return undefined
  const { message, details } = first
  return { message, details: [...(details === undefined ? [] : [details]), ...others.map(issueLine)] }
}
