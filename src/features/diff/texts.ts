/** Texts that several components of this feature use. */
export const texts = {
  comparing: 'Comparing…',
  now: 'now',
  tools: 'Tools',
  filterToolsAndChanges: 'Filter tools and changes',
  removed: 'removed',
  added: 'added',
  compatible: 'compatible',
  openTool: 'Open tool',
  input: 'Input',
  output: 'Output',
  undecided: 'undecided',
  possibleIn: 'possible in',
  moreLines: (left: number) => `… ${left} more lines`,
} as const
