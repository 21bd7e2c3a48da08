/** Texts that several components of this feature use. */
export const texts = {
  destructiveToolsToo: 'Include tools that write',
  filesThatAreNotExamples: 'Files that are not examples',
  sameAnswerFromBoth: 'Same answer from both',
  bothAnswers: 'Both answers',
} as const
