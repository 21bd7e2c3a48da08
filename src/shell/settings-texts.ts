/** Texts that several components of this feature use. */
export const texts = {
  keyboardShortcuts: 'Keyboard shortcuts',
  catalog: 'Catalog',
} as const
