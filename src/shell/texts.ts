/** Every text of the frame and of the pages, in reading order. */
export const texts = {
  // The top bar
  homeLink: 'Toolscope: to the catalog',
  toolscope: 'Toolscope',
  searchOrJump: 'Search or jump to…',

  // The pages
  sources: 'Sources',
  sourcesNote: 'Sources: add, start, edit and remove them',
  history: 'History',
  historyNote: 'History: earlier calls',
  diff: 'Diff',
  diffNote: 'Diff: compare two versions',
  prompt: 'Prompt',
  promptNote: 'Prompt preview: what an agent gets',
  console: 'Console',
  consoleNote: 'Console: scripts over the tools',
  pages: 'Pages',

  // The status line
  failedCount: (failed: number) => `, ${failed} failed`,
  readOnly: 'read-only',
  fixedSources: 'fixed sources',
  serverDoesNotAnswer: 'The server does not answer; trying again',
  signedOut: 'Signed out',
  nextChange: 'next change',
  breakingOnly: 'breaking only',
  keyboardShortcuts: 'Keyboard shortcuts',

  // Session
  sessionExpired: 'Session expired',
  openPrintedLink: 'Open the link printed in the terminal, in any tab. This page then continues by itself.',
  inputIsKept: 'Your input is kept.',

  // The dialog of an export
  exportTitle: 'Export as a static site',
  exportCommandNote: 'Run this in the folder where Toolscope was started:',
  notInCommand: (sources: readonly string[]) => `Not in the command: ${sources.join(', ')}.`,
  itFailed: 'it failed',
  saveItFirst: 'save it to toolscope.json first',
  holdsSecret: 'its address or command holds a secret',
  exportNote:
    'It writes tools, schemas, help and versions as plain files to the folder site. Calls, inputs, examples and history are left out.',
  copyCommand: 'Copy the command',

  // The workbench
  wasNotRemoved: (source: string, reason: string) => `${source} was not removed: ${reason}`,
  tools: 'Tools',
  catalog: 'Catalog',
  noSource: (name: string) => `No source “${name}”`,
  noSourceNote: 'It may be closed or renamed.',

  // Before a tool is chosen
  pickTool: 'Pick a tool from the list, search with',
  orJump: ', or jump with',
  chooseATool: 'Choose a tool',
  dropFile: ' Drop a manifest or an mcp.json anywhere on this page to add it.',
  thisToolCannotBeShown: 'This tool cannot be shown',
  toolMayHaveChanged: 'Its source may list it under another name, or not at all. Search the catalog.',
  toTheCatalog: 'To the catalog',

  // History
  noHistory: 'History is not available here',
  noEndWasRecorded: 'No end was recorded',
  noEndNote: 'The call still runs, or Toolscope was killed before it ended.',

  // Links and calls that fill the form
  callReplacedInput: (name: string) => `The input of that call replaced yours in ${name}.`,
  changeReplacedInput: (name: string) => `The input that shows the change replaced yours in ${name}.`,
  linkReplacedInput: (name: string) => `The address of that link replaced your input in ${name}.`,
  noResourceAtAddress: (source: string, uri: string) => `${source} lists no resource with the address ${uri}`,
  resourcesNotListed: (source: string) => `The resources of ${source} could not be listed. Try again.`,

  // An unknown address
  unknownAddress: 'Unknown address',
  noPageAt: (path: string) => `No page at ${path}`,
  linkMayBeOld: 'The link may be old or mistyped.',
} as const
