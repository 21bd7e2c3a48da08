import { formatDuration, plural } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // The page
  chooseACall: 'Choose a call',
  chooseACallNote: 'Its input and its result appear here.',
  history: 'History',
  compareTwoSources: 'Compare two sources',
  export: 'Export',
  clear: 'Clear…',
  notSaved: 'Calls are not being saved',

  // The filters
  pastHour: 'Past hour',
  pastDay: 'Past day',
  pastWeek: 'Past week',
  past30Days: 'Past 30 days',
  notDone: 'not done',
  byClient: (value: string) => `by ${value}`,
  when: 'When',
  anyTime: 'Any time',
  status: 'Status',
  anyStatus: 'Any status',
  outputValidation: 'Output validation',
  anyValidation: 'Any validation',
  source: 'Source',
  anySource: 'Any source',
  client: 'Client',
  anyClient: 'Any client',
  findCalls: 'Find calls',
  searchCalls: 'Search calls',
  pinned: 'Pinned',
  onlyTool: (tool: string) => `Only ${tool}: show all tools`,

  // The list
  readingTheHistory: 'Reading the history…',
  calls: 'Calls',
  olderCalls: 'Older calls…',
  noCallsYet: 'No calls yet',
  noCallsYetNote:
    'Each call is saved here with its input and result, so that you can find, repeat and compare it.',
  noMatchingCalls: 'No matching calls',

  // A row
  inputInvalid: 'input invalid',
  pinnedMark: 'pinned',
  unfinished: 'unfinished',
  stopComparing: 'Stop comparing',
  compareWithOpenCall: (tool: string) => `Compare the open call with this one of ${tool}`,

  // How a call ended
  done: 'done',

  // One call
  callOf: (tool: string) => `Call of ${tool}`,
  byOrigin: (origin: string) => `, by ${origin}`,
  repeat: 'Repeat',
  editAndRepeat: 'Edit and repeat',
  onlyCallsOf: (tool: string) => `Only calls of ${tool}`,
  unpin: 'Unpin: allow deletion with the old calls',
  pin: 'Pin: keep this call',
  deleteThisCall: 'Delete this call',
  secretsNotSaved: 'Its secret fields were not saved: edit the input first',
  variablesNotKept: (missing: string) =>
    `These variables were not saved: ${missing}. “Edit and repeat” uses the values on the agent’s page.`,
  input: 'Input',
  invalid: 'invalid',
  secretFieldsLeftOut: 'secret fields left out',
  keptInPart: (cut: string) => `${cut} kept in part`,
  copyTheInput: 'Copy the input',
  preview: 'Preview, shortened. Copy gives the whole input.',
  variablesOfTheAgent: 'Variables of the agent',
  notKept: 'not kept',

  // Two calls
  twoCallsCompared: 'Two calls compared',
  older: 'Older',
  newer: 'Newer',
  result: 'Result',
  theSame: 'the same',
  differsAt: (count: number) => `differs at ${plural(count, 'place')}`,
  listThePlaces: 'List the places',
  sideBySide: 'Side by side',
  tooLargeSideBySide: 'Too large to be shown side by side.',
  olderAndNewer: (title: string) => `${title}, older and newer`,

  // Clearing
  allShownCalls: 'all calls that the filters show',
  theWholeHistory: 'the whole history',
  deleteCalls: 'Delete calls?',
  deletionNote: (which: string) => `This deletes ${which} and cannot be undone. Export writes a copy first.`,
  pinnedCallsToo: 'Pinned calls too',

  // The figures of a tool
  statisticsOf: (toolRef: string) => `Statistics of ${toolRef}`,
  newestCalls: 'newest calls',
  callsFigure: 'calls',
  median: 'median',
  p95: 'p95',
  chartLabel: (count: number, maxDurationMs: number, wrong: number) =>
    `The newest ${plural(count, 'call')}: up to ${formatDuration(maxDurationMs)}, ${wrong} failed or invalid`,

  // The newest calls of the open tool
  recent: 'Recent',
} as const
