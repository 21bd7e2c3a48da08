import { isFields } from '../../json/fields.ts'
import type { Fault } from '../finding.ts'
import type { ToolView } from '../rule.ts'

/** Faults for keywords that may stand anywhere but at the root of an input schema. */
export function rootKeywordFaults({ tool }: ToolView, keywords: readonly string[]): readonly Fault[] {
  const schema = tool.inputSchema
  if (!isFields(schema)) return []
  return keywords
    .filter(keyword => Object.hasOwn(schema, keyword))
    .map(keyword => ({
      path: `/inputSchema/${keyword}`,
      message: `${keyword} stands at the root of the input schema`,
      remedy: 'Move it into a property, or say it in the description and check it in the tool.',
    }))
}
