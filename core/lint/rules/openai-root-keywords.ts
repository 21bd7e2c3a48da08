import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'
import { rootKeywordFaults } from './root-keywords.ts'

export const openaiRootKeywords: ToolRule = {
  scope: 'tool',
  id: 'openai-root-keywords',
  title: 'No oneOf, anyOf, allOf, enum or not at the root of an input schema',
  severity: 'error',
  sources: { openai: documents.openaiRoot },
  check: view => rootKeywordFaults(view, ['oneOf', 'anyOf', 'allOf', 'enum', 'not']),
}
