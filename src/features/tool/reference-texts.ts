/** Texts that several components of this feature use. */
export const texts = {
  input: 'Input',
  output: 'Output',
  fieldsOf: (name: string) => `${name} fields`,
  eachItem: 'each item',
} as const
