import { plural } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // The tab
  answersAreSaved: (count: number) =>
    `The server asked ${plural(count, 'question')} in the last call. The answers are saved with the input.`,
  inputIsNotJson: 'The input is not valid JSON, so it cannot be saved.',
  secretsLeftOut: (places: string) =>
    `Not saved because it looks like a secret: ${places}. Write \${env:NAME} there to take the value from an environment variable at the call.`,
  deleted: (name: string) => `Deleted “${name}”.`,
  replaced: (name: string) => `Replaced “${name}”.`,
  noExamplesYet: 'No examples yet. Save the current input as the first.',
  passed: 'passed',
  failed: 'failed',
  runAll: 'Run all',
  runningNamed: (name: string) => `Running ${name}…`,
  examples: 'Examples',
  filesThatAreNotExamples: 'Files that are not examples',
  keptIn: (place: string) => `Kept in ${place}`,
  compareSources: 'Compare two sources’ results',

  // Saving the input
  saveTheCurrentInput: 'Save the current input',
  name: 'Name',
  note: 'Note',
  optional: 'optional',
  replace: 'Replace',
  saveInput: 'Save current input',

  // One example
  loadIntoTheForm: 'Load into the form',
  runNamed: (name: string) => `Run ${name}`,
  running: 'Running…',
  run: 'Run',
  expectedResultOf: (name: string) => `Expected result of ${name}`,
  setAsExpectedResult: 'Set as expected result',
  deleteNamed: (name: string) => `Delete ${name}`,
  expected: 'expected',
  nothing: 'nothing',
  got: 'got',
  morePlaces: (more: number) => `and ${plural(more, 'more place')}`,
  anyGoodResult: 'any good result',
  exactlyThisResult: 'exactly this result',
  resultOfThisShape: 'a result of this shape',
  validOutput: 'valid output',
  aFailure: 'a failure',
  failsAs: (fails: string) => `fails: ${fails}`,
  expectAnyGoodResult: 'Any good result',
  expectValidOutput: 'Output that fits its schema',
  expectFailure: (reason: string) => `The failure: ${reason}`,
  expectSameResult: 'The last result, exactly',
  expectSameShape: 'The shape of the last result',
  callItFirst: 'The last call had another input: load this one and call.',
  newName: (count: number) => `example ${count}`,
} as const
