/** The choice that a note below names as well. */
const destructiveToolsToo = 'Include tools that write'

/** Texts that several components of this feature use. */
export const texts = {
  destructiveToolsToo,
  filesThatAreNotExamples: 'Files that are not examples',
  allowInPage: `. Tick “${destructiveToolsToo}” to call it.`,
  sameAnswerFromBoth: 'Same answer from both',
  bothAnswers: 'Both answers',
} as const
