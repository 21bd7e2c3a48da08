/** Every text of this feature, in reading order. */
export const texts = {
  // The tab
  usage: 'Usage',
  copyUsage: 'Copy the usage line',
  moreFlags: (more: number) => ` … and ${more.toLocaleString('en')} more`,
  optionalFlags: '[ ] = optional',
  input: 'Input',
  output: 'Output',
  noOutputSchema: 'No output schema: output is shown but cannot be validated.',
  schemas: 'Raw schemas',
  inputSchema: 'Input schema as JSON',
  outputSchema: 'Output schema as JSON',

  // Its tables
  fieldsOf: (name: string) => `${name} fields`,
  noFields: 'The schema names no fields.',
  name: 'Name',
  type: 'Type',
  description: 'Description',
  required: 'required',
  expand: (name: string) => `Expand ${name}`,
  collapse: (name: string) => `Collapse ${name}`,
  showAll: 'Show all',
  showLess: 'Show less',
  oneOf: 'One of',
  suggested: 'Suggested',
  showAllValues: (count: number) => `Show all ${count.toLocaleString('en')} values`,
  moreValues: (count: number) => `… and ${count.toLocaleString('en')} more: see the raw schema`,
  default: 'Default',
  example: 'Example',
  showMoreFields: 'Show more fields',

  // Parts of a schema
  keysLike: (pattern: string) => `keys like ${pattern}`,
  otherKeys: 'other keys',
  withKey: (key: string) => `with ${key}`,
  itemAt: (index: number) => `item ${index}`,
  furtherItems: 'further items',
  eachItem: 'each item',
  variant: (label: string) => `variant: ${label}`,
} as const
