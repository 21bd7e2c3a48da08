/** Texts that several components of this feature use. */
export const texts = {
  tool: 'Tool',
  historyOf: (noun: string) => `History of this ${noun}`,
  invalidInputNotCopied: 'Not copied: the input is not valid JSON.',
  input: 'Input',
  output: 'Output',
  fieldsOf: (name: string) => `${name} fields`,
  eachItem: 'each item',
  promptsAndResources: 'Prompts & resources',
} as const
