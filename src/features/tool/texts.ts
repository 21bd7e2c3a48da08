/** Texts that several components of this feature use. */
export const texts = {
  tool: 'Tool',
  historyOf: (noun: string) => `History of this ${noun}`,
  invalidInputNotCopied: 'Not copied: the input is not valid JSON.',
} as const
