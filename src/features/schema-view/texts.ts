/** Every text of this feature, in reading order. */
export const texts = {
  // The view
  schemaView: 'Schema view',
  input: 'Input',
  noOutputSchema: 'No output schema: output is shown but cannot be validated.',
  output: 'Output',
  tree: 'Tree',
  schemaOf: (name: string) => `${name} schema`,
  schemaAsJsonOf: (name: string) => `${name} schema as JSON`,
  objectWithoutNamedFields: 'An object without named fields.',
  collapse: 'Collapse',
  expand: 'Expand',
  required: 'required',

  // Parts of a schema
  keysLike: (pattern: string) => `keys like ${pattern}`,
  otherKeys: 'other keys',
  withKey: (key: string) => `with ${key}`,
  itemAt: (index: number) => `item ${index}`,
  furtherItems: 'further items',
  eachItem: 'each item',
  oneOfCount: (branchCount: number, nullable: boolean) =>
    `one of ${branchCount}${nullable ? ' or null' : ''}`,
  oneOf: 'one of',
} as const
