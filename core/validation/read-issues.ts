/** Issues as their readers need them: one line in a list, a sentence, or one message at a field. */

import { pointerSegments } from '../json/pointer.ts'
import { typePhrase } from '../schema/type-words.ts'
import type { ValidationIssue } from '../tool/invocation.ts'

/** How the message of an issue begins where a value is required and missing. */
export const missingValue = 'missing required value'

/** The message with its details: `must look like b-123 (pattern ^b-[0-9]+$)`. */
export function issueLine({ message, details }: ValidationIssue): string {
  return details === undefined ? message : `${message} (${details})`
}

/**
 * The issue with the name of its field: `name: missing required value`, `rules.0.port: must be at most 65535, is 70000`.
 *
 * @param whole stands for the name where the whole value is meant
 */
export function issueSentence(issue: ValidationIssue, whole = '/'): string {
  return `${fieldName(issue.path) || whole}: ${issueLine(issue)}`
}

/** Names joined by dots; the pointer itself where a name could be misread. */
function fieldName(path: string): string {
  const names = pointerSegments(path)
  return names.every(name => /^[\p{L}\p{N}_$-]+$/u.test(name)) ? names.join('.') : path
}

export interface FieldMessage {
  /** The one sentence that helps most. */
  readonly message: string
  /** Its details, and what else is wrong, a line each. */
  readonly details: readonly string[]
}

/** What explains the others comes first: a missing or mistyped value breaks many keywords. */
const order = ['secret', 'required', 'type', 'const', 'enum', 'format', 'pattern']

/**
 * The issues of one field as one message. Undefined where it has none.
 *
 * @param subject names the field where nothing beside the message does
 */
export function fieldMessage(issues: readonly ValidationIssue[], subject?: string): FieldMessage | undefined {
  const rank = ({ keyword }: ValidationIssue) =>
    order.includes(keyword) ? order.indexOf(keyword) : order.length
  const [first, ...others] = issues.toSorted((left, right) => rank(left) - rank(right))
  if (first === undefined) return undefined
  const { details } = first
  const message = subject === undefined ? fieldWords(first) : `${subject} ${first.message}`
  return { message, details: [...(details === undefined ? [] : [details]), ...others.map(issueLine)] }
}

/** What to do, for the person who is at the field: `Required`, `Enter a number`, `Must be at most 9, is 10`. */
function fieldWords({ keyword, message, expected }: ValidationIssue): string {
  if (message.startsWith(missingValue)) return `Required${message.slice(missingValue.length)}`
  if (keyword === 'type' && expected !== undefined) return `Enter ${typePhrase(expected.split(' or '))}`
  return message.charAt(0).toUpperCase() + message.slice(1)
}
