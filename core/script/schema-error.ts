/** A validation as the seed system's commands say it: `schema error: required property 'id' is missing`. */
import type { Validation, ValidationIssue } from '../call/invocation.ts'
import { pointerSegments } from '../json/pointer.ts'

/** The first finding in one line, without the tool's name, and how many more there are. Null unless `invalid`. */
export function schemaError({ verdict, issues, more = 0 }: Validation): string | null {
  if (verdict !== 'invalid') return null
  // A missing property is the commonest slip, and the one whose wording scripts know.
  const first = issues.find(isMissing) ?? issues[0]
  if (first === undefined) return 'schema error: the input does not fit the schema'
  const others = issues.length + more - 1
  const rest = others > 0 ? ` (and ${others} more)` : ''
  return `schema error: ${sentence(first)}${isMissing(first) ? '' : rest}`
}

const isMissing = (issue: ValidationIssue) => issue.keyword === 'required'

function sentence(issue: ValidationIssue): string {
  const steps = pointerSegments(issue.path)
  const name = steps.join('.')
  if (isMissing(issue)) return `required property '${name}' is missing`
  return name === '' ? `the input ${issue.message}` : `property '${name}' ${issue.message}`
}
