/** Formats issues: as a line in a list, as a sentence, or as one message at a field. */

import { pointerSegments } from '../json/pointer.ts'
import { typePhrase } from '../schema/type-words.ts'
import type { ValidationIssue } from '../tool/invocation.ts'

/** The beginning of the message for a missing required value. */
export const missingValue = 'missing required value'

/** Returns the message with its details: `must look like b-123 (pattern ^b-[0-9]+$)`. */
export function issueLine({ message, details }: ValidationIssue): string {
  return details === undefined ? message : `${message} (${details})`
}

/**
 * Returns the issue with the name of its field: `name: missing required value`, `rules.0.port: must be at most 65535,
 * is 70000`.
 *
 * @param whole the name for the whole value
 */
export function issueSentence(issue: ValidationIssue, whole = '/'): string {
  return `${fieldName(issue.path) || whole}: ${issueLine(issue)}`
}

/** Returns names joined by dots, or the pointer itself if a name could be misread. */
function fieldName(path: string): string {
  const names = pointerSegments(path)
  return names.every(name => /^[\p{L}\p{N}_$-]+$/u.test(name)) ? names.join('.') : path
}

export interface FieldMessage {
  /** The most helpful sentence. */
  readonly message: string
  /** The sentence's details and the other problems, one line each. */
  readonly details: readonly string[]
}

/** Keywords that explain others come first: a missing or mistyped value breaks many keywords. */
const order = ['secret', 'required', 'type', 'const', 'enum', 'format', 'pattern']

/**
 * Returns the issues of one field as one message; undefined without issues.
 *
 * @param subject names the field if nothing next to the message does
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

/** Returns what the user must do in the field: `Required`, `Enter a number`, `Must be at most 9, is 10`. */
function fieldWords({ keyword, message, expected }: ValidationIssue): string {
  if (message.startsWith(missingValue)) return `Required${message.slice(missingValue.length)}`
  if (keyword === 'type' && expected !== undefined) return `Enter ${typePhrase(expected.split(' or '))}`
  return message.charAt(0).toUpperCase() + message.slice(1)
}
