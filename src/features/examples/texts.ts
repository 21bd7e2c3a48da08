/** Texts that several components of this feature use. */
export const texts = {
  filesThatAreNotExamples: 'Files that are not examples',
  destructiveToolsToo: 'Include tools that write',
} as const
