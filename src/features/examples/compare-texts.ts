/** The choice that a note below names as well. */
const destructiveToolsToo = 'Include tools that write'

/** Every text of this feature, in reading order. */
export const texts = {
  // The page
  notAvailable: 'Nothing can be called here',
  compareTwoSources: 'Compare two sources',
  heading: 'Compare two sources’ results',
  startTitle: 'The same inputs, two sources',
  startNote:
    'The saved examples of the first source, or of the second if the first has none, are sent to both. The page lists each place where the answers differ. Only read-only tools are called. To compare with a staging address or a new version of a server, add it as a source first.',
  readingExamples: 'Reading the examples…',
  noExamples: 'No examples to run',
  noExamplesNote:
    'Neither source has a saved example. “Save as example” below a tool’s form makes one; or repeat the newest calls.',
  allPairs: 'All pairs',
  callingBoth: 'Calling both…',
  noPairs: 'No pairs',

  // The two sources and what is called
  chooseASource: 'Choose a source',
  notOpen: (value: string) => `${value} (cannot be called)`,
  sourcesToCompare: 'Sources to compare',
  first: 'First',
  second: 'Second',
  compare: 'Compare',
  repeatNewestCalls: (repeatedCalls: number) => `Repeat the newest ${repeatedCalls} calls too`,
  destructiveToolsToo,

  // The list of pairs
  pairsSoFar: (pairCount: number, total: number) => `${pairCount} of ${total} …`,
  cancelledAt: (pairCount: number, total: number) => `cancelled at ${pairCount} of ${total}`,
  pairs: 'Pairs',
  filesThatAreNotExamples: 'Files that are not examples',
  masksHint: 'Do times and ids differ? Name them in a toolscope.masks.json beside toolscope.json.',
  masksInUse: (path: string) => `Places named in ${path} are left out.`,

  // The state of a pair
  same: 'same',
  different: 'different',
  failed: 'failed',
  skipped: 'skipped',

  // One pair
  allowInPage: `. Tick “${destructiveToolsToo}” to call it.`,
  notCalledFromHere: '. It is not called from here;',
  callsIt: 'calls it.',
  sameAnswerFromBoth: 'Same answer from both',
  bothAnswers: 'Both answers',
  answersOf: (a: string, b: string) => `Answers of ${a} and ${b}`,
  tooLong: 'One answer is too long to be shown.',
} as const
