/** Texts that several components of this feature use. */
export const texts = {
  full: 'Full',
  compact: 'Compact',
  filterTools: 'Filter tools (text or glob)',
  portability: 'Portability',
  thePrompt: 'The prompt',
} as const
