/** Texts that several features use with the same meaning. */
export const commonTexts = {
  addSource: 'Add source',
  cancel: 'Cancel',
  clearFilters: 'Clear filters',
  close: 'Close',
  copied: 'Copied',
  copy: 'Copy',
  save: 'Save',
  showLess: 'Show less',
  tryAgain: 'Try again',
  undo: 'Undo',
  after: 'After',
  before: 'Before',
} as const
