/** The rules about schemas in the order in which they run, and the catalogue of all rules. */

import { serverRuleDescriptions } from '../compare-servers.ts'
import { boundRule } from './bounds.ts'
import { items } from './items.ts'
import { buildKeywordDiffRule } from './keyword-rules.ts'
import { notes, partText } from './notes.ts'
import { additionalProperties, described, properties } from './properties.ts'
import type { SchemaRule } from './schema-rule.ts'
import { toolDiffRules } from './tool-rules.ts'
import { type } from './type.ts'
import { valuesRule } from './values.ts'
import { variants } from './variants.ts'

/** The order: texts first, then rules that may cover the whole node, then single keywords. */
export const schemaRules: readonly SchemaRule[] = [
  ...[partText, notes],
  ...[described, variants, valuesRule, type],
  ...[additionalProperties, properties],
  ...(['patterned', 'names', 'dependent', 'unevaluated'] as const).map(buildKeywordDiffRule),
  items,
  ...(['contains', 'uniqueItems'] as const).map(buildKeywordDiffRule),
  boundRule,
  ...(['multipleOf', 'pattern', 'format', 'condition', 'negation'] as const).map(buildKeywordDiffRule),
]

/** Findings of the comparison itself, without a rule. */
const own = {
  'tool-added': 'A tool was added.',
  'tool-removed': 'A tool was removed.',
  'tool-renamed': 'A tool was probably renamed; both versions are compared.',
  'prompt-added': 'A prompt was added.',
  'prompt-removed': 'A prompt was removed.',
  'prompt-renamed': 'A prompt was probably renamed; both versions are compared.',
  'resource-added': 'A resource was added.',
  'resource-removed': 'A resource was removed.',
  'resource-renamed': 'The URI of a resource probably changed.',
  'template-added': 'A resource template was added.',
  'template-removed': 'A resource template was removed.',
  'template-renamed': 'The URI template of a resource template probably changed.',
  'skill-added': 'A skill was added.',
  'skill-removed': 'A skill was removed.',
  'skill-renamed': 'The URI of a skill probably changed.',
  ...serverRuleDescriptions,
  'schema-changed': 'The new schema rejects values that the old one accepted; no single change is the cause.',
  'generator-form': 'A schema is written differently and means the same.',
  'schema-invalid': 'A schema is not valid in its dialect, or the input schema of a tool could not be read.',
}

/** Every rule id with its description: for reports, the rules file and the documentation. */
export const ruleCatalogue: Readonly<Record<string, string>> = Object.assign(
  {},
  own,
  ...toolDiffRules.map(rule => rule.ids),
  ...schemaRules.map(rule => rule.ids),
)
