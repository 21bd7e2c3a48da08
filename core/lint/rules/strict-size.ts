import { isFields, own } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import type { Fault } from '../finding.ts'
import type { ToolRule } from '../rule.ts'
import type { SchemaNode } from '../schema-nodes.ts'

const MAX_PROPERTIES = 5_000
const MAX_ENUM_VALUES = 1_000
/** Names of properties and definitions, enum values and const values together. */
const MAX_NAME_CHARACTERS = 120_000
/** From this many values on, the characters of one enum are limited too. */
const LONG_ENUM = 250
const MAX_LONG_ENUM_CHARACTERS = 15_000

export const strictSize: ToolRule = {
  scope: 'tool',
  id: 'strict-size',
  title: 'At most 5,000 properties, 1,000 enum values and 120,000 characters of names',
  severity: 'error',
  sources: { 'openai-strict': documents.openaiStrict },
  check: ({ nodes }) => {
    const size = measure(nodes)
    const faults: Fault[] = []
    const over = (what: string, count: number, limit: number) => {
      if (count > limit)
        faults.push({
          path: '/inputSchema',
          message: `${count} ${what}; strict mode takes ${limit}`,
          remedy: 'Split the tool, or take a text and check it in the tool.',
        })
    }
    over('properties', size.properties, MAX_PROPERTIES)
    over('enum values', size.enumValues, MAX_ENUM_VALUES)
    over('characters of names and enum values', size.characters, MAX_NAME_CHARACTERS)
    over(`characters in an enum of more than ${LONG_ENUM} values`, size.longEnum, MAX_LONG_ENUM_CHARACTERS)
    return faults
  },
}

function measure(nodes: readonly SchemaNode[]) {
  const size = { properties: 0, enumValues: 0, characters: 0, longEnum: 0 }
  for (const { schema, keyword, name } of nodes) {
    if (keyword === 'properties') size.properties += 1
    if (keyword === 'properties' || keyword === '$defs' || keyword === 'definitions')
      size.characters += name?.length ?? 0
    if (!isFields(schema)) continue
    const constant = own(schema, 'const')
    if (typeof constant === 'string') size.characters += constant.length
    const values = own(schema, 'enum')
    if (!Array.isArray(values)) continue
    const characters = values.reduce<number>(
      (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
      0,
    )
    size.enumValues += values.length
    size.characters += characters
    if (values.length > LONG_ENUM) size.longEnum = Math.max(size.longEnum, characters)
  }
  return size
}
