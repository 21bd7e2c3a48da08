import { formatCount, plural } from '../../ui/format.ts'

/** Every text of this feature, in reading order. */
export const texts = {
  // The page
  notAvailable: 'Prompt preview is not available here',
  prompt: 'Prompt',
  promptPreview: 'Prompt preview',
  toolsAndForm: 'Tools and form',
  counting: 'Counting…',
  sizeAndPortability: 'Size and portability',

  // What the prompt holds
  format: 'Format',
  howMuch: 'How much',
  full: 'Full',
  compact: 'Compact',
  filterTools: 'Filter tools (text or glob)',
  toolsInPrompt: (toolCount: number, matchedCount: number) =>
    `${formatCount(toolCount)} of ${formatCount(matchedCount)} tools in the prompt`,
  includeAllAgain: 'Include all again',
  sourcesLegend: 'Sources; none pressed is all',

  // The tools
  toolsInThePrompt: 'Tools in the prompt',

  // Its size
  tokens: 'tokens',
  countedWith: 'Counted with',
  budgetInTokens: 'Budget in tokens',
  heaviestTools: 'Heaviest tools',
  heaviestFields: 'Heaviest fields',
  inEachTool: (tokens: number, tools: number) =>
    `${formatCount(tokens)} in each of ${formatCount(tools)} tools`,
  shareOfTool: (share: number, name: string) => `${share}% of ${name}`,
  bySource: 'By source',
  toolCount: (tools: number) => `${formatCount(tools)} tools`,

  // Portability
  portability: 'Portability',
  clientsToCheck: 'Clients to check for',
  findingCounts: (error: number, warning: number, info: number, toolCount: number) =>
    `${plural(error, 'error')}, ${plural(warning, 'warning')}, ${plural(info, 'note')} in ${plural(toolCount, 'tool')}`,
  sourceOfTheRule: 'Source of the rule',
  firstFindings: (shown: number, all: number) => ` · the first ${shown} of ${all}`,

  // The text of the prompt
  characters: (characters: number) => `${formatCount(characters)} characters as sent`,
  download: 'Download',
  preview: 'Preview, shortened. Copy and Download give everything.',
  thePrompt: 'The prompt',
} as const
