/** Texts that several components of this feature use. */
export const texts = {
  notInTheSchema: 'not in the schema',
  notSet: 'not set',
  deprecated: 'deprecated',
  null: 'null',
  clear: 'Clear',
  setToEmptyList: 'Set to []',
  setToEmptyObject: 'Set to {}',
  editWithTheField: 'Edit with the field',
  editAsJson: 'Edit as JSON',
  emptyText: 'empty text',
  nothingMatches: 'Nothing matches',
  duplicate: 'Duplicate',
} as const
