/** An object whose properties became described or undescribed: one change, not one for each property. */
import { own, type UnknownObject } from '../../json/json.ts'
import { definitionKeywords, validationKeywords } from '../../schema/keywords.ts'
import { type SchemaRule, sides, wholeEdit } from './schema-rule.ts'

export const described: SchemaRule = {
  ids: {
    'schema-described': 'An object that accepted any property now declares its properties.',
    'schema-undescribed': 'An object that declared its properties now accepts any property.',
  },
  find(pair) {
    const { before, after } = pair
    const [rule, count] = isBlank(before)
      ? (['schema-described', countProperties(after)] as const)
      : (['schema-undescribed', isBlank(after) ? countProperties(before) : 0] as const)
    if (count === 0) return []
    const properties = `${count} ${count === 1 ? 'property' : 'properties'}`
    const message =
      rule === 'schema-described'
        ? `schema added: ${properties}`
        : `no longer described: ${properties} before`
    return [{ rule, message, edits: [wholeEdit(pair)], whole: true, ...sides(before, after) }]
  },
}

/** Whether the schema says only that the value is an object. */
function isBlank(node: UnknownObject): boolean {
  const type = own(node, 'type')
  return (
    (type === undefined || type === 'object') &&
    Object.keys(node).every(
      keyword => keyword === 'type' || definitionKeywords.has(keyword) || !validationKeywords.has(keyword),
    )
  )
}

function countProperties(node: UnknownObject): number {
  const properties = own(node, 'properties')
  return typeof properties === 'object' && properties !== null ? Object.keys(properties).length : 0
}
