import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'
import { keywordFaults } from './keyword-faults.ts'

/** The fields of the API's Schema message. Anything else is answered by "Unknown name … Cannot find field". */
const known = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'maxItems',
  'minItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'example',
  'anyOf',
  'propertyOrdering',
  'default',
  'items',
  'minimum',
  'maximum',
])

/**
 * A warning, not an error: clients send JSON Schema by `parametersJsonSchema`, or drop the keyword on the way. Either
 * way what the author wrote is not what `parameters` holds.
 */
export const geminiKeywords: ToolRule = {
  scope: 'tool',
  id: 'gemini-keywords',
  title: 'Only keywords of the API’s Schema stand in parameters',
  severity: 'warning',
  sources: { gemini: documents.geminiSchema },
  check: view =>
    keywordFaults(
      view,
      keyword => known.has(keyword),
      keyword => ({
        message: `${keyword} is no field of the API’s Schema: refused in parameters, or dropped by the client`,
        remedy: 'Send the schema as parametersJsonSchema, or do without the keyword.',
      }),
    ),
}
