import type { EndedEvent, Validation, ValidationIssue } from '../../../core/tool/invocation.ts'
import { describeEnd, outputWords, toOutcome } from '../../../core/tool/outcome.ts'
import { issueLine } from '../../../core/validation/read-issues.ts'
import type { Tone } from '../../ui/badge.tsx'
import { ordinal } from '../../ui/format.ts'
import { type InvocationState, openQuestion } from './invocation.ts'
import { base64Size } from './viewers/media.ts'

/** Returns the status in a few words, and its tone. */
export function describeStatus(invocation: InvocationState): { readonly text: string; readonly tone: Tone } {
  const { ending, position = 0 } = invocation
  if (openQuestion(invocation)) return { text: 'waiting for your answer', tone: 'warn' }
  if (!ending)
    return { text: position > 0 ? `Waiting: ${ordinal(position)} in line` : 'running', tone: 'info' }
  if (invocation.isRefused) return { text: 'refused', tone: 'bad' }
  const { validation, exitCode } = ending
  return describeEnd(toCallEnd(ending), { issueCount: countIssues(validation), exitCode })
}

/** Returns whether the status already contains the verdict on the output. */
export function saysOutputInvalid(ending: EndedEvent): boolean {
  return toOutcome(ending) === 'ok' && ending.validation.verdict === 'invalid'
}

/** Returns the verdict on an output, with the number of its issues. */
export function validationWords(validation: Validation): string {
  return outputWords(validation.verdict, { issueCount: countIssues(validation) })
}

const toCallEnd = (ending: EndedEvent) => ({
  outcome: toOutcome(ending),
  verdict: ending.validation.verdict,
})

const countIssues = ({ issues, more = 0 }: Validation) => issues.length + more

/** Returns the size of the result in bytes; media count as decoded bytes, not as base64. */
export function countResultBytes(ending: EndedEvent): number {
  const holdsMedia = ending.content.some(block => block.type === 'image' || block.type === 'audio')
  if (ending.raw !== undefined && !holdsMedia) return textSize(ending.raw)
  let size = 0
  for (const block of ending.content) {
    if (block.type === 'text') size += textSize(block.text)
    else if (block.type === 'image' || block.type === 'audio') size += base64Size(block.data)
    else if (block.type === 'resource')
      size += textSize(block.resource.text ?? '') + base64Size(block.resource.blob ?? '')
  }
  return size
}

function textSize(text: string): number {
  return new Blob([text]).size
}

/**
 * Returns an issue in one line: the expected and the actual value, else the validator's message, as for a missing
 * value.
 */
export function issueText(issue: ValidationIssue): string {
  const { keyword, expected, actual } = issue
  if (keyword === 'required') return issueLine(issue)
  if (expected !== undefined && actual !== undefined) return `expected ${expected}, got ${actual}`
  if (expected !== undefined) return `${issueLine(issue)} (expected ${expected})`
  return issueLine(issue)
}
