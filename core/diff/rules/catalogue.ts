/** Every rule by its id, with a sentence about it: for reports, for the rules file, for the documentation. */
import { schemaRules } from './schema-rules.ts'
import { toolRules } from './tool-rules.ts'

/** What the comparison itself finds, beside the rules about schemas and tools. */
const own = {
  'tool-added': 'A tool came.',
  'tool-removed': 'A tool is gone.',
  'tool-renamed': 'A tool went and one like it came.',
  'instructions-changed': 'What the server says of itself to a model changed.',
  'schema-changed': 'The schema as a whole refuses what it took, by no single cause.',
  'generator-form': 'A schema is written in another way and means the same.',
  'schema-invalid': 'A schema is no valid schema of its dialect.',
}

export const ruleCatalogue: Readonly<Record<string, string>> = Object.assign(
  {},
  own,
  ...toolRules.map(rule => rule.ids),
  ...schemaRules.map(rule => rule.ids),
)
