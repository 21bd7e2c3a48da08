import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'
import { keywordFaults } from './keyword-faults.ts'

/** Named as not supported in the guide; `oneOf` is absent from its list of what is, and refused in practice. */
const refused = new Set([
  'allOf',
  'oneOf',
  'not',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'prefixItems',
])

export const strictKeywords: ToolRule = {
  scope: 'tool',
  id: 'strict-keywords',
  title: 'No keyword that strict mode does not know',
  severity: 'error',
  sources: { 'openai-strict': documents.openaiStrict },
  check: view =>
    keywordFaults(
      view,
      keyword => !refused.has(keyword),
      keyword => ({
        message: `${keyword} is not supported in strict mode`,
        remedy: 'Use anyOf for alternatives, and check other conditions in the tool.',
      }),
    ),
}
