/** The rules about schemas in the order in which they run, and the catalogue of all rules. */
import { additionalProperties } from './additional-properties.ts'
import { boundRule } from './bounds.ts'
import { described } from './described.ts'
import { items } from './items.ts'
import { keywordRule } from './keyword-rules.ts'
import { notes, partText } from './notes.ts'
import { properties } from './properties.ts'
import type { SchemaRule } from './schema-rule.ts'
import { toolRules } from './tool-rules.ts'
import { type } from './type.ts'
import { values } from './values.ts'
import { variants } from './variants.ts'

/** Texts first; then rules that may cover the whole node; then keyword by keyword. */
export const schemaRules: readonly SchemaRule[] = [
  ...[partText, notes],
  ...[described, variants, values, type],
  ...[properties, additionalProperties],
  ...(['patterned', 'names', 'dependent', 'unevaluated'] as const).map(keywordRule),
  items,
  ...(['contains', 'uniqueItems'] as const).map(keywordRule),
  boundRule,
  ...(['multipleOf', 'pattern', 'format', 'condition', 'negation'] as const).map(keywordRule),
]

/** Found by the comparison itself, not by a rule. */
const own = {
  'tool-added': 'A tool came.',
  'tool-removed': 'A tool is gone.',
  'tool-renamed': 'A tool went and one like it came.',
  'instructions-changed': 'What the server says of itself to a model changed.',
  'schema-changed': 'The schema as a whole refuses what it took, by no single cause.',
  'generator-form': 'A schema is written in another way and means the same.',
  'schema-invalid': 'A schema is no valid schema of its dialect.',
}

/** Every rule by its id, with a sentence about it: for reports, for the rules file, for the documentation. */
export const ruleCatalogue: Readonly<Record<string, string>> = Object.assign(
  {},
  own,
  ...toolRules.map(rule => rule.ids),
  ...schemaRules.map(rule => rule.ids),
)
