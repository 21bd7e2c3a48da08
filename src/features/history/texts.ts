/** Texts that several components of this feature use. */
export const texts = {
  history: 'History',
  notDone: 'not done',
  unfinished: 'unfinished',
  stopComparing: 'Stop comparing',
  input: 'Input',
  twoCallsCompared: 'Two calls compared',
  older: 'Older',
  newer: 'Newer',
} as const
