/** The rules about schemas, in the order in which they look at a place. */
import { additionalProperties } from './additional-properties.ts'
import { boundRule } from './bounds.ts'
import { described } from './described.ts'
import { items } from './items.ts'
import {
  condition,
  contains,
  dependent,
  format,
  multipleOf,
  names,
  negation,
  pattern,
  patterned,
  unevaluated,
  uniqueItems,
} from './keyword-rules.ts'
import { notes } from './notes.ts'
import { properties } from './properties.ts'
import type { SchemaRule } from './schema-rule.ts'
import { partText } from './text.ts'
import { type } from './type.ts'
import { values } from './values.ts'
import { variants } from './variants.ts'

/** Words first; then what may have changed the place as a whole; then keyword by keyword. */
export const schemaRules: readonly SchemaRule[] = [
  ...[partText, notes],
  ...[described, variants, values, type],
  ...[properties, additionalProperties, patterned, names, dependent, unevaluated],
  ...[items, contains, uniqueItems, boundRule, multipleOf, pattern, format, condition, negation],
]
