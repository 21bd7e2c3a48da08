/** From all failures of a value to the issues that help: of a union only the branch that was meant, in words. */

import type { Failure } from '../compat/failure.ts'
import { isJsonNumber, type Json, jsonText, jsonType, numberText, withoutUndefined } from '../json/json.ts'
import { pointerSegments, pointerStep, valueAt } from '../json/pointer.ts'
import type { ValidationIssue } from '../tool/invocation.ts'
import { type IssueWords, issueWords } from './issue-words.ts'
import { issueLine, missingValue } from './read-issues.ts'

/** Branches with more issues than this say less than the union itself. */
const maxBranchIssues = 6
const maxText = 60

/** Without repeats, in the order of the schema. */
export function issuesOf(failures: readonly Failure[], value: Json): ValidationIssue[] {
  const issues = new Map<string, ValidationIssue>()
  for (const failure of failures.flatMap(withoutBranches)) {
    const issue = issueOf(failure, value)
    const key = `${issue.path} ${issueLine(issue)}`
    if (!issues.has(key)) issues.set(key, issue)
  }
  return [...issues.values()]
}

/** A failed union, or the failures of its branch that was most likely meant. */
function withoutBranches(failure: Failure): readonly Failure[] {
  const candidates = (failure.branches ?? []).filter(
    branch => !branch.some(each => isMismatch(each, failure.path)),
  )
  const ranked = candidates
    .map(branch => branch.flatMap(withoutBranches))
    .sort((left, right) => weigh(left) - weigh(right))
  const [best] = ranked
  return best === undefined || (ranked.length > 1 && best.length > maxBranchIssues) ? [failure] : best
}

/** The value is of another kind altogether: this branch was not meant. */
function isMismatch({ path, keyword }: Failure, unionPath: string): boolean {
  return path === unionPath && ['type', 'const', 'enum', 'false'].includes(keyword)
}

/** A wrong fixed value speaks against a branch more than anything missing in it. */
function weigh(failures: readonly Failure[]): number {
  const weights: Readonly<Record<string, number>> = { const: 10, false: 3 }
  return failures.reduce((sum, { keyword }) => sum + (weights[keyword] ?? 2), 0)
}

function issueOf(failure: Failure, value: Json): ValidationIssue {
  const { keyword, property, because } = failure
  // What is missing is reported at the property, where the reader looks for it.
  const isMissing = property !== undefined && keyword !== 'propertyNames'
  const path = isMissing ? failure.path + pointerStep(property) : failure.path
  const found = valueAt(value, pointerSegments(path)) as Json | undefined
  return {
    path,
    keyword,
    ...wordsOf(),
    ...withoutUndefined({ expected: expectedOf(failure) }),
    actual: shortValue(found),
  }

  function wordsOf(): IssueWords {
    if (because !== undefined) return { message: `${missingValue} because ${because} is set` }
    if (keyword === 'propertyNames') return { message: `the key “${property}” is not allowed here` }
    return issueWords(failure, found)
  }
}

/** What can be said in a word: `boolean`, `one of "dev", "prod"`. */
function expectedOf({ keyword, limit }: Failure): string | undefined {
  switch (keyword) {
    case 'type':
      return [limit].flat().join(' or ')
    case 'enum':
      return shorten(`one of ${[limit].flat().map(jsonOf).join(', ')}`)
    case 'const':
      return jsonOf(limit)
    case 'format':
      return String(limit)
    case 'required':
      return 'a required value'
    default:
      return undefined
  }
}

/** `boolean true`, `string "yes"`, `array of 3`, `object`, `nothing`. */
function shortValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `array of ${value.length}`
  const type = jsonType(value)
  return type === 'object' || type === 'null' ? type : `${type} ${jsonOf(value)}`
}

function jsonOf(value: unknown): string {
  if (isJsonNumber(value)) return shorten(numberText(value))
  // A text of megabytes is cut before it is written.
  return shorten(jsonText(typeof value === 'string' ? value.slice(0, maxText) : value) ?? '…')
}

const shorten = (text: string) => (text.length > maxText ? `${text.slice(0, maxText)}…` : text)
