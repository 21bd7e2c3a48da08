import { formatBytes, formatCount, ordinal } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // The pane
  result: 'Result',
  serverAsks: (message: string) => `The server asks: ${message}`,
  callStatus: (words: readonly string[]) => `Call ${words.join(', ')}`,
  resultViews: 'Result views',
  stderr: 'stderr',
  viewNotDrawn: 'This view could not be drawn',
  problemsOf: (issuesOf: string | undefined) => `Problems of the ${issuesOf ?? 'input'}`,
  theWholeOf: (issuesOf: string | undefined) => `(the whole ${issuesOf ?? 'input'})`,

  // The status of the call
  keptInPart: ', kept in part',
  copyTheResult: 'Copy the result',
  downloadTheResult: 'Download the result',
  progress: 'Progress',
  progressOf: (progress: number, total: number) => `${progress} of ${total}`,

  // How it ended
  waitingForYourAnswer: 'waiting for your answer',
  waitingInLine: (position: number) => `Waiting: ${ordinal(position)} in line`,
  running: 'running',
  exitCode: (exitCode: number) => `, exit ${exitCode}`,
  refused: 'refused',
  toolError: (exit: string) => `error${exit}`,
  done: (exit: string) => `done${exit}`,
  expectedGot: (expected: string, actual: string) => `expected ${expected}, got ${actual}`,
  expectedInLine: (issueLine: string, expected: string) => `${issueLine} (expected ${expected})`,

  // Calls of other tools, at the foot of the page
  callsWaitForAnswer: (calls: number) =>
    calls === 1 ? '1 call waits for your answer' : `${calls} calls wait for your answer`,
  callsRun: (calls: string) => `${calls} running`,

  // A lost connection
  answerCutOff: 'The answer was cut off.',
  cancelled: 'Cancelled.',
  serverMayBeStopped: 'The Toolscope server may have been stopped.',
  connectionLost: 'The connection was lost.',

  // The views
  tree: 'Tree',
  table: 'Table',
  content: 'Content',
  markdown: 'Markdown',
  text: 'Text',
  raw: 'Raw',
  envelope: 'Envelope',
  questions: 'Questions',
  logs: 'Logs',
  sent: 'Sent',

  // The body of a view
  inputSent: 'The input that was sent',
  resultAsText: 'Result as text',
  rawResult: 'Raw result',

  // The tree
  noMatch: 'No key or value contains this',
  showEverything: 'Show everything',

  // Its search
  searchKeysAndValues: 'Search keys and values',
  nothingFound: 'Nothing found',
  firstMatches: (matchCount: number) => `The first ${formatCount(matchCount)} matches`,
  breaksTheSchema: 'Breaks the schema:',
  theWholeValue: '(the whole value)',

  // The table
  ofTotal: (count: number) => ` of ${formatCount(count)}`,
  columns: 'Columns',
  csv: 'CSV',
  resultAsATable: 'Result as a table',

  // Content blocks
  resultOfType: (mimeType: string) => `Result: ${mimeType}`,
  notShownAsImage: ': cannot be shown as an image',
  notPlayed: ': cannot be played',
  unknownType: 'unknown type',
  saveFile: (fileName: string) => `Save ${fileName}`,
  dataIsBroken: 'Its data cannot be decoded',

  // Long texts
  firstBytesShown: (shown: number, all: number) =>
    `The first ${formatBytes(shown)} of ${formatBytes(all)} are shown.`,
  downloadAll: 'Download all',

  // The logs
  waitingForOutput: 'Waiting for output…',
  noLogs: 'No logs',
  bytesNotShown: (hidden: number) => `${formatBytes(hidden)} of earlier output are not shown.`,

  // The questions of the server
  accepted: 'accepted',
  declined: 'declined',
  cancelledAnswer: 'cancelled',
  byPreparedAnswer: 'by a prepared answer',
  byToolscope: 'by Toolscope',
  questionsOfServer: 'Questions of the server',
} as const
