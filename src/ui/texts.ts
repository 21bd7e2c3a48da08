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

  // The sides of a comparison
  after: 'After',
  before: 'Before',
} as const
