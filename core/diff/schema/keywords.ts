/** What the keywords of JSON Schema hold, so that a schema can be walked without a word per keyword. */

/** Keywords whose value is a list of schemas. */
export const listKeywords: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])

/** Keywords whose value maps names to schemas. */
export const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
])

/** Keywords whose value is one schema; `items` may be a list in older drafts. */
export const singleKeywords: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])

/** Where shared schemas are kept; they say nothing by themselves. */
export const definitionKeywords: ReadonlySet<string> = new Set(['$defs', 'definitions'])

/** Words for people, which no validator reads. */
export const textKeywords = ['title', 'description'] as const

/** Every keyword that a validator reads. What is not here and no text is a note. */
export const validationKeywords: ReadonlySet<string> = new Set([
  ...listKeywords,
  ...mapKeywords,
  ...singleKeywords,
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'format', 'maxItems', 'minItems', 'uniqueItems', 'maxContains'],
  ...['minContains', 'maxProperties', 'minProperties', 'required', 'dependentRequired', '$ref'],
  ...['$dynamicRef', '$recursiveRef'],
])
