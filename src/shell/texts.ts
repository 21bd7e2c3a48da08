/** Texts that several components of the frame and the pages use. */
export const texts = {
  searchOrJump: 'Search or jump to…',
  pages: 'Pages',
  tools: 'Tools',
  unknownAddress: 'Unknown address',
} as const
