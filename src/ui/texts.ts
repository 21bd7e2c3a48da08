/** Texts that several features use with the same meaning. */
export const commonTexts = {
  // Actions
  addSource: 'Add source',
  cancel: 'Cancel',
  clearFilters: 'Clear filters',
  close: 'Close',
  copied: 'Copied',
  copy: 'Copy',
  delete: 'Delete',
  save: 'Save',
  showLess: 'Show less',
  tryAgain: 'Try again',
  undo: 'Undo',

  // How many changes two versions have
  breakingCount: (count: number) => `${count} breaking`,
  dangerousCount: (count: number) => `${count} dangerous`,
  infoCount: (count: number) => `${count} info`,
  noChanges: '0 changes',

  // The sides of a comparison
  after: 'After',
  before: 'Before',
} as const
