import { formatCount, plural } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // The page
  comparing: 'Comparing…',
  notAvailable: 'Diff is not available here',
  diff: 'Diff',
  heading: 'Diff of two manifests',

  // The two sides
  compareAgain: 'Compare again',
  compare: 'Compare',
  swapTheTwoSides: 'Swap the two sides',
  swap: 'Swap',
  strict: 'Strict: also count undeclared fields',
  sideMissing: (label: string) =>
    `Say what stands under “${label}”: choose a version, or type a source, a file or an address.`,
  sidePlaceholder: 'source, source@2, file, git:HEAD:tools.json',

  // The menu of a side
  chooseSide: (side: string) => `Choose ${side}`,
  chooseAFile: 'Choose a file…',
  fileForSide: (side: string) => `File for ${side}`,

  // The versions that it offers
  versionBefore: (source: string, when: string) => `${source}, before ${when}`,
  versionNow: (source: string) => `${source}, now`,

  // Before both sides are chosen
  compareTwoVersions: 'Compare two versions',
  whatComparisonGives: 'Compatible changes are proved; breaking ones come with an input that fails.',
  beforeSide: 'Before:',
  afterSide: 'After:',
  anotherSource: 'Another source:',

  // The pairs that it offers
  readingVersions: 'Reading versions…',
  newestVersions: 'Newest version against the one before',
  commits: 'Commits that changed a manifest',
  commit: 'Commit',
  now: 'now',
  sinceLastCommit: 'since the last commit',
  noPairYet: 'No open source has a second version yet. There is one when its list changes.',

  // The files that it asks for
  dropFiles: 'Drop two manifest files here.',
  dropFile: 'Drop a manifest file here for this side.',
  dropFileNote: 'A file is compared and not kept.',
  dropFilesNote: 'The older file is “Before”. Files are compared and not kept.',
  chooseFiles: 'Choose files…',
  filesToCompare: 'Files to compare',

  // The ways to write a reference
  otherReferences: 'Other references',
  eachSideIsOneOfThese: 'Each side is one of these:',
  anOpenSource: 'An open source',
  anOpenSourceNote: 'by its name, as in the bar above',
  aVersion: 'A version of it',
  orByLabel: ', or by a label',
  aManifestFile: 'A manifest file',
  manifestFormats: ': MCP, OpenAI, Anthropic, functions.json or an',
  manifestFileNote: 'manifest',
  fileAtGitRevision: 'File at a Git revision',

  // The answer
  reportIsOlder: 'This could not be compared again: the report below is from before',
  tools: 'Tools',
  outline: 'Outline',
  noChangeMatches: 'No change matches',
  counts: (tools: number, changes: number) =>
    `${plural(tools, 'tool')} compared · ${plural(changes, 'difference')}`,
  shownCount: (shown: number) => ` · ${formatCount(shown)} shown`,
  showAll: 'Show all',
  nextPrevious: 'next, previous',
  breakingOnly: 'breaking only',
  copyAs: 'Copy as…',
  markdown: 'Markdown',
  text: 'Text',

  // The rules that it follows
  rulesOf: (file: string) => `Rules: ${file}`,
  switchedOffCount: (count: number) => `${formatCount(count)} switched off`,
  ignoredBy: (file: string, count: number) => `ignored by ${file}: ${formatCount(count)}`,
  expiredCount: (count: number) => `${formatCount(count)} expired`,
  unusedCount: (count: number) => `${formatCount(count)} unused`,
  rulesNote:
    'toolscope.json names these files. The command line, notices and the list of versions follow them too.',
  ignoredChanges: 'Ignored changes',
  expiredEntries: 'Expired: these changes count again',
  unusedEntries: 'Unused: these entries match no change of this comparison',
  ignoredUntil: (day: string) => `until ${day}`,
  expiredOn: (day: string) => `ended on ${day}`,
  manifest: 'manifest',
  severitiesSet: 'Severities that the rules set',
  switchedOff: (count: number) => `off · ${plural(count, 'change')} of this comparison`,

  // Its filters
  filterToolsAndChanges: 'Filter tools and changes',
  showOnly: 'Show only',

  // The outline
  removed: 'removed',
  added: 'added',
  renamed: 'renamed',
  compatible: 'compatible',
  countOfChanges: (relevant: number, all: number) => `${relevant} of ${all}`,

  // Groups and sections
  canBreakCallers: 'Can break callers',
  needsReview: 'Needs review',
  compatibleGroup: 'Compatible',
  infoOnly: 'Info only',
  renamedGroup: 'Renamed',
  addedGroup: 'Added',
  sharedChanges: 'Same change in several tools',
  server: 'Server',

  // The report
  report: 'Report',

  // The heading of a tool
  renamedTo: 'renamed to',
  fullSchemasOf: (title: string) => `Full schemas of ${title}`,
  fullSchemas: 'Full schemas',
  openToolNamed: (title: string) => `Open tool ${title}`,
  openTool: 'Open tool',
  schemasOf: (name: string) => `Schemas of ${name}`,

  // Folded changes
  compatibleCount: (count: number) => `${count} compatible, proved`,
  infoCount: (count: number) => `${count} info`,
  cuesInDescription: 'Cues in its description',
  inputField: 'input field',

  // A change
  fingerprint: 'Fingerprint of this change, for an ignore file',
  idOf: (fingerprint: string) => `id ${fingerprint}`,
  cuesInAddedText: 'Cues in the added text',
  inTools: 'In',
  alsoAt: 'Also at:',
  refusedAt: 'Refused in some inputs:',
  breaksWith: 'Breaks callers together with other changes:',
  bothInFull: 'Before and after in full',

  // Its title
  input: 'Input',
  output: 'Output',

  // Its severity
  undecided: 'undecided',

  // Its proof, and both sides
  proved: 'proved',
  refuted: 'refuted',
  notAValidSchema: 'not a valid schema',
  whyThisIsProved: 'Why this is proved',
  whyThisIsUndecided: 'Why this is undecided',
  howThisWasDecided: 'How this was decided',
  forDeclaredFields: 'For callers that send only declared fields:',
  forAnyValue: '. For any value:',
  absent: 'absent',

  // The counterexample
  workedIn: 'worked in',
  failsIn: 'fails in',
  failedIn: 'failed in',
  worksIn: 'works in',
  possibleIn: 'possible in',
  noLongerIn: 'no longer in',
  notPromisedBy: 'not promised by',
  inputWitness: 'Input that proves it',
  outputWitness: 'Output that proves it',
  tryNote: 'Opens the tool with this input in its form, which replaces the entered one. Nothing is called.',
  tryIn: (after: string) => `Try in ${after}`,

  // Hidden characters and long texts
  hiddenCharacters: 'Hidden characters in the text',
  moreCharacters: (more: number) => `${formatCount(more)} more characters`,
  showAllCharacters: (count: number) => `Show all ${formatCount(count)} characters`,
  invisibleCharacters: (characterCount: number, meaning: string) =>
    `${characterCount} invisible characters${meaning}`,

  // Schemas and values
  moreLines: (left: number) => `… ${left} more lines`,
  before: 'before',
  after: 'after',
  nestedTooDeeply: '(nested too deeply to be shown)',

  showMoreCharacters: (omitted: number) => `Show ${formatCount(omitted)} more characters`,
} as const
