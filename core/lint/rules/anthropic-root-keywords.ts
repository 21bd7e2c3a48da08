import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'
import { rootKeywordFaults } from './root-keywords.ts'

export const anthropicRootKeywords: ToolRule = {
  scope: 'tool',
  id: 'anthropic-root-keywords',
  title: 'No oneOf, allOf or anyOf at the root of an input schema',
  severity: 'error',
  sources: { anthropic: documents.anthropicRoot },
  check: view => rootKeywordFaults(view, ['oneOf', 'allOf', 'anyOf']),
}
