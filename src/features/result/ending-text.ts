import { findOpenQuestion } from '../../../core/tool/call-state.ts'
import type { ContentBlock, EndedEvent, Validation, ValidationIssue } from '../../../core/tool/invocation.ts'
import { describeEnd, outputWords, toOutcome } from '../../../core/tool/outcome.ts'
import { issueLine } from '../../../core/validation/read-issues.ts'
import type { Tone } from '../../ui/badge.tsx'
import { ordinal } from '../../ui/format.ts'
import type { InvocationState } from './invocation-state.ts'
import { base64Size } from './viewers/media.ts'

/** Returns the status in a few words, and its tone. */
export function describeStatus(invocation: InvocationState): { readonly text: string; readonly tone: Tone } {
  const { ending, position = 0 } = invocation
  if (findOpenQuestion(invocation)) return { text: 'waiting for your answer', tone: 'warn' }
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

/**
 * Returns the size of the result in bytes: of all its blocks, or of its exact text if that is larger. Media count as
 * decoded bytes, not as base64.
 */
export function countResultBytes(ending: EndedEvent): number {
  const { content, raw } = ending
  const size = content.reduce((sum, block) => sum + blockSize(block), 0)
  const holdsMedia = content.some(block => block.type === 'image' || block.type === 'audio')
  return raw === undefined || holdsMedia ? size : Math.max(size, textSize(raw))
}

function blockSize(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return textSize(block.text)
    case 'image':
    case 'audio':
      return base64Size(block.data)
    case 'resource':
      return textSize(block.resource.text ?? '') + base64Size(block.resource.blob ?? '')
    default:
      // A link is its address with what is said about it; a later version of the protocol may have other blocks.
      return textSize(JSON.stringify(block))
  }
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
