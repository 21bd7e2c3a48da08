/** Texts that several components of this feature use. */
export const texts = {
  filesThatAreNotExamples: 'Files that are not examples',
  nothing: 'nothing',
  callItFirst: 'The last call had another input: load this one and call.',
  destructiveToolsToo: 'Include tools that write',
  sameAnswerFromBoth: 'Same answer from both',
  bothAnswers: 'Both answers',
} as const
