/** The rules about schemas in the order in which they run, and the catalogue of all rules. */

import { serverRuleIds } from '../compare-servers.ts'
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
  ...[additionalProperties, properties],
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
  'tool-renamed': 'A tool went and one like it came; the two are compared.',
  'prompt-added': 'A prompt came.',
  'prompt-removed': 'A prompt is gone.',
  'prompt-renamed': 'A prompt went and one like it came; the two are compared.',
  'resource-added': 'A resource came.',
  'resource-removed': 'A resource is gone.',
  'resource-renamed': 'A resource went and one like it came: another URI.',
  'template-added': 'A resource template came.',
  'template-removed': 'A resource template is gone.',
  'template-renamed': 'A resource template went and one like it came: another URI template.',
  ...serverRuleIds,
  'schema-changed': 'The schema as a whole refuses what it took, by no single cause.',
  'generator-form': 'A schema is written differently and means the same.',
  'schema-invalid': 'A schema is no valid schema of its dialect.',
}

/** Every rule by its id, with a sentence about it: for reports, for the rules file, for the documentation. */
export const ruleCatalogue: Readonly<Record<string, string>> = Object.assign(
  {},
  own,
  ...toolRules.map(rule => rule.ids),
  ...schemaRules.map(rule => rule.ids),
)
