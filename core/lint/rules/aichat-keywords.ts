import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'
import { keywordFaults } from './keyword-faults.ts'

const kept = new Set(['type', 'description', 'properties', 'items', 'anyOf', 'enum', 'default', 'required'])
/** Nothing that a model would have read is lost with these. */
const harmless = new Set(['$schema', '$id', '$comment', 'title', 'additionalProperties'])

export const aichatKeywords: ToolRule = {
  scope: 'tool',
  id: 'aichat-keywords',
  title: 'Keywords outside of AIChat’s struct are dropped',
  severity: 'warning',
  sources: { aichat: documents.aichatFunction },
  check: view =>
    keywordFaults(
      view,
      keyword => kept.has(keyword) || harmless.has(keyword),
      keyword => ({
        message: `${keyword} is dropped: the model never reads it`,
        remedy: 'Say in the description what the keyword says.',
      }),
    ),
}
