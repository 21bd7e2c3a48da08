import { formatCount } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // The page
  notAvailable: 'Scripts cannot be run here',
  console: 'Console',

  // The bar above the script
  run: 'Run',
  limitsChanged: 'Limits (changed)',
  limits: 'Limits',

  // The menu of scripts
  scripts: 'Scripts',
  savedInThisBrowser: 'Saved in this browser',
  examples: 'Examples',
  downloadAsFile: 'Download as a file',
  fileName: (script: string) => `${script}.sh`,
  deleteScript: (current: string) => `Delete ${current}.sh`,

  // The example scripts
  listTools: 'List the tools',
  greetThreePeople: 'Greet three people',
  readLogs: 'Look at the newest release’s logs',
  continueAfterFailure: 'Continue when a tool fails',
  checkInput: 'Check an input without calling',

  // The editor
  script: 'Script',
  runTheScript: 'Run the script',
  previousScript: 'Previous script',
  nextScript: 'Next script',
  suggest: 'Suggest',

  // Its suggestions
  whatAToolTakes: 'What a tool takes',
  findTools: 'Find tools',
  filterJson: 'Filter JSON',
  required: (hint: string) => `${hint} · required`,
  dryRunFlag: 'check the input, call nothing',
  helpFlag: 'what the tool takes',

  // The question before a run
  asksByEnvironment: 'LLM_MCP_NEED_CONFIRM names it',
  asksOnTerminal: 'its program asks on a terminal',
  isDestructive: 'the server marks it destructive (unverified)',
  runThisScript: 'Run this script?',
  callsNeedConfirmation: 'It calls tools that need confirmation:',
  confirmationNote:
    'After you confirm, the script may call them any number of times. A tool outside this list that needs confirmation is refused.',
  doNotRun: 'Do not run',

  // The state of the run
  exit: 'exit',
  endedAtALimit: 'ended at a limit',
  cancelled: 'cancelled',
  notBash: 'not bash',
  engineFailed: 'engine failed',
  scriptEnded: (endText: string) => `Script: ${endText}`,
  running: 'running',
  countNotCalled: (count: number) => `${formatCount(count)} not called`,
  endWithExitCode: (word: string, exitCode: number) => `${word} · exit ${exitCode}`,

  // The output
  output: 'Output',
  outputAppearsHere: 'What the script writes appears here.',
  wroteNothing: 'The script wrote nothing.',
  outputSoFar: 'Output so far:',
  stderr: 'stderr:',

  // The trace
  trace: 'Trace',
  noRunYet: 'No run yet',
  noToolWasCalled: 'No tool was called',
  callsAppearHere: 'Every call of a tool appears here with its time, input, result and verdict.',
  exitCode: (exitCode: number | string) => `exit ${exitCode}`,
  closeTheCall: 'Close the call',
  input: 'Input',
  flagsNotRead: 'The flags could not be read.',

  // Its calls
  done: 'done',
  failed: 'failed',
  notCalled: 'not called',
  dryRun: 'dry run',
  callsInOrder: 'Calls in order',
  valid: ' · valid',

  // The limits
  enterWholeNumber: (max: number) => `Enter a whole number from 1 to ${formatCount(max)}.`,
  limitsOfScripts: 'Limits of scripts',
  unlessSet: (defaultLimit: number) => `${formatCount(defaultLimit)} unless set`,
  defaults: 'Defaults',
  setLimits: 'Set limits',

  // Their names
  scriptSeconds: 'Seconds for the whole script',
  callsOfTools: 'Calls of tools',
  commands: 'Commands; a call counts as about five',
  iterationsOfLoop: 'Iterations of one loop',

  // Saving
  saveTheScript: 'Save the script',
  name: 'Name',
  namePlaceholder: 'nightly-check',
  savedInBrowserNote: 'Saved in this browser, because there is no toolscope.json.',
  savedAsFile: (folder: string, name: string) =>
    `Saved as the file ${folder}/${name || '<name>'}.sh beside toolscope.json.`,
  replacesScript: ' It replaces the script with this name.',
} as const
