/** Texts that several components of this feature use. */
export const texts = {
  tools: 'Tools',
  removed: 'removed',
  added: 'added',
  compatible: 'compatible',
} as const
