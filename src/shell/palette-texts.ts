/** Texts that several components of this feature use. */
export const texts = {
  searchOrJump: 'Search or jump to',
  commands: 'Commands',
  actionsOfSources: 'Actions of sources',
} as const
