/** Every text of this feature, in reading order. */
export const texts = {
  // The tabs
  form: 'Form',
  reference: 'Reference',
  versions: 'Versions',
  examples: 'Examples',
  tabFailed: 'Something went wrong here',
  otherTabsWork: 'The other tabs still work.',
  tool: 'Tool',
  aboutTheTool: 'About the tool',

  // The head
  showSource: (source: string) => `Source ${source}: show it`,
  asksFirst: 'asks first',
  viewOnly: 'view only',
  historyOf: (noun: string) => `History of this ${noun}`,
  removeFromFavorites: 'Remove from favorites',
  addToFavorites: 'Add to favorites',
  unverified: 'declared by the source (unverified)',
  openWorld: 'open world',

  // Messages beside the call
  lastValidInputIsBack: 'Restored the last valid input.',
  notSent: (path: string, message: string) => `Not sent: ${path || 'the input'} ${message}`,
  restoreLastValidInput: 'Restore the last valid input',
  searchingExample: 'Searching for an example…',
  noExampleFound: 'No example found: few values match this schema.',
  filledWithAnExample: 'Filled with an example.',
  defaultsFilled: 'Filled in the defaults.',
  everythingWasCleared: 'Cleared the input.',
  undone: 'Undone.',
  exampleLoaded: 'Loaded the example.',
  filledFromTheLink: 'Filled from the link.',
  input: 'Input',

  // Why an input is not sent
  problemOf: (message: string) => `is ${message}`,
  problemIsInvalidJson: (message: string) => `is not valid JSON: ${message}`,

  // The bar of actions
  fillExample: 'Fill example',
  reset: 'Reset',
  applyDefaults: 'Apply defaults',
  saveAsExample: 'Save as example',
  viewOnlyNote: 'View only: its source gives no way to call it.',
  sendAnyway: 'Send anyway',
  more: 'More',

  // Copy as
  invalidInputNotCopied: 'Not copied: the input is not valid JSON.',
  notCopiedAs: (title: string) => `Not copied: this input cannot be written as a ${title}.`,
  copiedWithoutSecrets: 'Copied. Secrets are replaced by •••.',
  tooLongForLink: 'Not copied: the input is too long for a link.',
  linkCopiedWithoutSecrets: 'Copied. Secrets are left out of the link.',
  copyNotAllowed: 'Not copied: the browser does not allow it.',
  copyAs: 'Copy as',
  linkWithInput: 'Link with input',

  // The question before a call
  callNamed: (name: string) => `Call ${name}?`,
  whatWillBeSent: (confirmText: string) => `${confirmText} The input to be sent:`,
  preview: 'Preview, shortened. The JSON tab shows everything.',
  callAnyway: 'Call anyway',
  variables: 'Variables',
  withVariables: 'With the agent’s variables:',
  empty: 'empty',
  hiddenSecret: 'Hidden: its name says that it is secret',

  // Notes of llm-functions
  itsSource: 'its source',
  declaredInSource: 'declared in source',
  readFrom: 'Read from',
  notBuiltYet: '; functions.json does not have it. Build the tree before you rely on it.',
  staleBuild: 'stale build',
  buildDiffersStart: 'functions.json and',
  buildDiffers: (stale: string) => `disagree: ${stale}. Build the tree again.`,
  calledThroughBridge: 'Called through the MCP bridge, server',
  reads: 'Reads',
  required: 'required, ',
  set: 'set',
  notSet: 'not set',
} as const
