import type { SourceState } from '../../../core/api/sources.ts'
import { formatCount, formatDuration, plural } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // The first page, without a source
  llmsProgramExample: 'A program that answers --llms with its list of tools.',
  manifestExample: 'A manifest file: MCP tools/list, functions.json, OpenAI or Anthropic tools.',
  functionsDirectoryExample: 'An llm-functions directory, with its agents.',
  mcpServerExample: 'An MCP server, started here.',
  mcpJsonExample: 'MCP servers, as Claude, Cursor and VS Code list them.',
  addressExample: 'An MCP server or a bridge by its address.',
  everythingElse: 'Everything else.',
  noSourceYet: 'No source yet',
  whatToolscopeDoes:
    'Toolscope shows the tools of a program, calls them and checks what comes back. Open a source to begin.',
  orDropFile: 'Or drop a manifest or an mcp.json anywhere on this page.',

  // The examples to try
  tryAnExample: 'Try an example',
  openNamed: (name: string) => `Open ${name}`,
  opening: 'Opening…',
  open: 'Open',

  // The page of all sources
  name: 'Name',
  status: 'Status',
  kind: 'Kind',
  tools: 'Tools',
  lastRead: 'Last read',
  actions: 'Actions',
  sources: 'Sources',
  needAttention: (waiting: number) => ` · ${waiting} ${waiting === 1 ? 'needs' : 'need'} attention`,
  noSourcesYet: 'No sources yet.',
  fromFile: (file: string) => `from ${file}`,
  removed: 'Removed',
  removedNote: 'They can be restored until Toolscope ends.',
  restoreNamed: (name: string) => `Restore ${name}`,
  restore: 'Restore',

  // The strip of sources that need attention
  needingAttention: 'Sources that need attention',
  moreNeedAttention: (others: number) => `${others} more`,

  // The bar of sources above the tools
  sourceWord: 'source',
  sourcesWord: 'sources',
  more: 'more',
  moreSources: 'More sources',
  searchSources: 'Search sources',
  noSourceMatches: 'No source matches.',
  allSources: 'All sources',

  // The page of one source
  sourceLabel: 'Source',
  showAllSources: 'Show all sources',
  showOnlyItsTools: 'Show only its tools',
  compareWith: 'Compare with…',
  callingConvention: 'Calling convention',
  instructions: 'Instructions',
  itWasCalled: 'It was called',
  itsCalls: 'its calls',
  addedByCommandLine: 'the command line',
  addedByYou: 'you in the browser',
  tookTime: (durationMs: number) => ` (${formatDuration(durationMs)})`,
  moreWithBridge: (hiddenTools: number) => ` (${formatCount(hiddenTools)} more are shown under their bridge)`,
  addedBy: 'Added by',
  format: 'Format',
  server: 'Server',
  protocol: 'Protocol',
  callable: 'Callable',
  yes: 'yes',
  viewOnly: 'no (view only)',
  toolsLoaded: 'Tools loaded',

  // States, actions and kinds in words
  degraded: (toolCount: number) => `${formatCount(toolCount)} · degraded`,
  isBeingOpened: 'is being opened',
  isBeingStarted: 'is being started',
  isReady: 'is ready',
  hasProblems: 'has problems',
  failed: 'failed',
  signInNeeded: 'sign-in needed',
  isStopped: (stopped: string) => `is ${stopped}`,
  needsSignIn: 'needs sign-in',
  healthSentence: (name: string, state: string, toolCount: number) =>
    `${name} ${state}, ${formatCount(toolCount)} tools`,
  stop: 'Stop',
  start: 'Start',
  restart: 'Restart',
  stopped: 'stopped',
  startsWhenYouSay: 'It does not run until you start it.',
  reopen: 'Reopen',
  closed: 'closed',
  notOpenYet: 'Its tools are not in the catalog until you open it.',
  llmsProgram: '--llms program',
  incurProgram: 'incur program',
  programKind: 'program',
  addressKind: 'address',
  functionsKind: 'llm-functions',
  manifestKind: 'manifest',
  bridgeKind: 'bridge',
  notTrustedYet: 'It does not run until you trust what it starts.',

  // Its buttons
  remove: 'Remove',
  log: 'Log',
  reading: 'Reading…',
  refresh: 'Refresh',

  // The one action that fits its state
  reviewAndTrust: 'Review and trust…',
  signIn: 'Sign in',
  retry: 'Retry',

  // In place of one of its tools, while it is not open
  aboutSource: 'About the source',
  toolsAreThereOnceOpen: 'This tool is there as soon as its source is open.',

  // Its menu
  moreFor: (name: string) => `More for ${name}`,
  trustItFirst: 'Trust it first.',
  editOrRename: 'Edit or rename…',
  saveToConfigMenu: 'Save to toolscope.json…',
  saveToConfig: 'Save to toolscope.json',
  logOf: (name: string) => `Log of ${name}`,
  changeOnCommandLine: 'It is from the command line: change it there.',
  changeInFile: (file: string) => `It is from ${file}: change it there.`,

  // Where its tools run
  toolsRunIn: 'Tools run in',
  set: 'Set',
  reset: 'Reset',
  directoryNote:
    'For all calls until Toolscope ends. “Reset” takes the directory of toolscope.json, or else the one Toolscope was started in.',

  // Its log
  noOutputYet: 'No output yet.',

  // What a removal says
  untilToolscopeEnds: ' until Toolscope ends',
  wasRemoved: (name: string, until: string) => `${name} was removed${until}.`,

  // Titles of the dialogs
  editNamed: (name: string) => `Edit ${name}`,

  // The form that adds or changes a source
  command: 'Command',
  addressTab: 'URL',
  fileOrPaste: 'File or paste',
  fromAnotherClient: 'From another client',
  notAdded: 'Not added.',
  notSaved: 'Not saved. The source is open as before.',
  add: 'Add',
  adding: 'Adding…',
  saving: 'Saving…',
  kindsOfSource: 'Kinds of source',

  // The fields of a command or an address
  commandPlaceholder: 'npx -y @modelcontextprotocol/server-everything',
  commandNote:
    'Starts an MCP server or a program that answers --llms. The path of an llm-functions directory, an mcp.json or a manifest works too.',
  workingDirectory: 'Working directory',
  workingDirectoryPlaceholder: 'where Toolscope was started',
  environment: 'Environment',
  variable: 'variable',
  sampleVariable: 'NAME',
  address: 'Address',
  addressPlaceholder: 'https://mcp.example.com/mcp',
  addressNote:
    'URL of an MCP server (Streamable HTTP or SSE), a bridge or a manifest; Toolscope finds out which.',
  headers: 'Headers',
  header: 'header',
  sampleHeader: 'Header-Name',
  namePlaceholder: 'suggested from the source',
  moreFields: 'More',
  callTimeLimit: 'Time limit of a call, in seconds',
  listTimeLimit: 'Time limit of the list, in seconds',

  // Environment variables and headers
  valuesNote: `values stay on this machine; \${env:NAME} takes one from a variable`,
  partOfPair: {
    name: (noun: string, index: number) => `Name of ${noun} ${index}`,
    value: (noun: string, index: number) => `Value of ${noun} ${index}`,
  },
  sampleValue: 'value',
  removePair: (noun: string, index: number) => `Remove ${noun} ${index}`,
  addPair: (noun: string) => `Add ${noun}`,

  // What is wrong with a name
  nameIsTaken: (name: string) => `A source named “${name}” already exists.`,
  nameHasForbiddenCharacter: 'A name cannot contain spaces, “/”, “,” or “~”.',

  // A file or pasted text
  json: 'JSON',
  pastePlaceholder: '{"mcpServers": {…}}',
  pasteNote: 'A manifest, an mcp.json, the entry of one server, or the server.json of the MCP registry.',
  chooseAFile: 'Choose a file…',
  notRecognised: 'Not recognised. Nothing was added.',

  // Servers of other clients
  readingOtherClients: 'Reading the files of other clients…',
  noServersInClients: 'No MCP servers found in other clients',
  filesSearched: 'Files searched',
  clientFilesNote: 'These files are read and never written. Nothing runs before you open it.',
  notRead: 'not read',
  forProject: (project: string) => `for ${project}`,
  underName: (name: string) => ` as ${name}`,
  disabledInFile: 'Disabled in its file. You can still open it here.',
  switchedOff: 'switched off',
  openMenu: 'Open…',
  notOpened: (title: string) => `Not opened. ${title}`,

  // The trial before it is added
  asking: 'Asking…',
  tryIt: 'Try it',
  /** What its lists hold; of what it has none of, only the tools are named. */
  listed({ toolCount, surface }: SourceState): string {
    const { prompts = 0, resources = 0, templates = 0 } = surface ?? {}
    const others = [
      prompts > 0 && plural(prompts, 'prompt'),
      resources > 0 && plural(resources, 'resource'),
      templates > 0 && plural(templates, 'resource template'),
    ]
    return [plural(toolCount, 'tool'), ...others].filter(Boolean).join(', ')
  },
  startingAndReading: 'Starting it and reading its tools…',
  notStartedYet: 'Not started yet.',

  // Values that a server asks for
  asksFor: (name: string) => `${name} asks for`,
  keptInMemory: 'Kept in memory until Toolscope ends, never saved.',

  // Saving to toolscope.json
  fileWillBeCreated: 'This file will be created: ',
  fileWillBeChanged: 'This file will be changed: ',
  editInFile: '. After that, edit the source in this file.',
  writing: 'Writing…',
  writeTheFile: 'Write the file',
  theChange: 'The change',

  // Sign-in
  signInTitle: 'Sign-in',
  serverWantsSignIn: 'The server wants you to sign in.',
  startAgain: 'Start again',
  windowOpens: 'A window of your browser opens at the server’s own sign-in page.',
  signInElsewhere:
    'Finish the sign-in in the other window; this source then opens by itself. The address of the sign-in:',
  opensAWindow: 'opens a window',
  youAreSignedIn: 'You are signed in. Calls carry your token.',
  signOut: 'Sign out',

  // The question of trust
  trustThisFolder: 'Trust this folder?',
  startsPrograms:
    'starts these programs. They run on the machine of this Toolscope with its user’s rights, and only after you agree.',
  trustIsRemembered:
    'Trust is remembered for this folder. When the list changes, you are asked again. You can remove it on a source’s page.',
  notNow: 'Not now',
  trust: 'Trust',

  // Trust, on the source's page
  configIsTrusted: 'toolscope.json names this source, and you trust what it starts.',
  configIsNotTrusted: 'toolscope.json names this source. It does not run until you trust what it starts.',
  removeTrust: 'Remove trust',

  // The note over a tool
  toolIsGone: 'This tool is no longer in the catalog. What you entered is kept.',
  sourceIsClosed: (state: string) => `${state}. What you entered is kept.`,
  notRefreshed: (source: string, readAt: string | undefined) =>
    `${source} could not be refreshed. This is its last list${readAt ? `, read at ${readAt}` : ''}.`,
  why: 'Why',
} as const
