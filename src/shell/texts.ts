/** Texts that several components of the frame and the pages use. */
export const texts = {
  searchOrJump: 'Search or jump to…',
  pages: 'Pages',
  tools: 'Tools',
  unknownAddress: 'Unknown address',
  searchOrJumpLabel: 'Search or jump to',
  commands: 'Commands',
  actionsOfSources: 'Actions of sources',
  keyboardShortcuts: 'Keyboard shortcuts',
  catalog: 'Catalog',
} as const
