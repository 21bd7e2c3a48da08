import { plural } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // The page
  noAgent: (id: string) => `No agent “${id}”`,
  noAgentNote: 'Its source may be closed or its folder renamed.',
  agent: 'Agent',
  agentBadge: 'agent',
  showSource: (source: string) => `Source ${source}: show it`,
  conversationStarters: 'Conversation starters',
  copyStarter: (text: string) => `Copy “${text}”`,

  // Agents that use the open tool
  calledFor: 'Called for',
  withVariables: (count: number) => `, with ${plural(count, 'variable')}`,
  noValueFor: (names: readonly string[]) =>
    `· no value for ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`,

  // Instructions
  rendered: 'Rendered',
  raw: 'Raw',
  instructions: 'Instructions',
  withoutAValue: (count: number) => `${plural(count, 'variable')} without a value`,
  copyTheInstructions: 'Copy the instructions',
  onlyFirstShown: (characters: number) =>
    `Only the first ${plural(characters, 'character')} are shown. Copy takes all.`,
  hasNoValue: (name: string) => `${name} has no value`,

  // Dynamic instructions
  dynamicInstructions: 'Dynamic instructions',
  instructionsRun: 'The agent’s function _instructions runs…',
  instructionsNote:
    'Written by the agent’s function _instructions, with the variables at the time of that run.',
  runAgain: 'Run again',
  noText: (problem: string) => `No text: ${problem || 'it failed'}.`,

  // Variables
  variables: 'Variables',
  variablesNote: 'Sent with every call for this agent and filled into its instructions.',
  emptyText: 'empty text',
  insteadOfTheEnvironment: 'instead of the environment',
  insteadOfTheDefault: 'instead of the default',
  fromTheEnvironment: 'from the environment',
  noValue: 'no value',
  default: 'default',
  takeEnvironmentValue: 'Use the environment’s',
  removeValue: 'Remove the value',
  takeDefault: 'Use the default',
  showNamed: (name: string) => `Show ${name}`,
  hide: 'Hide',
  show: 'Show',
  invalidName: 'Not a valid name of an environment variable: tools do not get it.',
  secretNote: 'A secret: not saved, gone when this page closes.',

  // Tools and documents
  ownTools: 'Own tools',
  sharedTools: 'Shared tools',
  notInTheCatalog: 'not in the catalog',
  file: 'file',
  folder: 'folder',
  pattern: 'pattern',
  link: 'link',
  missing: 'missing',
  outsideFolder: 'outside the agent’s folder: not read',
  documents: 'Documents',
} as const
