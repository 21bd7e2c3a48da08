/** Every text of this feature, in reading order. */
export const texts = {
  // The palette
  searchOrJump: 'Search or jump to',
  runGoToItsInput: 'Run: go to its input',
  copyLink: 'Copy link',
  versions: 'Versions',
  reference: 'Reference: usage, fields, schema',
  recent: 'Recent',
  tools: 'Tools',
  commands: 'Commands',
  agents: 'Agents',
  sources: 'Sources',
  actionsOfSources: 'Actions of sources',
  restart: (name: string) => `Restart ${name}`,
  remove: (name: string) => `Remove ${name}`,
  actionPlaceholder: (tool: string) => `What to do with ${tool}`,
  placeholder: 'Search or jump to…',
  suggestions: 'Suggestions',
  nothingMatches: 'Nothing matches',
  tabKey: 'Tab',
  backToAll: 'back to all',
  toolActionsHint: (canCall: boolean) => `${canCall ? 'run, ' : ''}copy link, versions…`,
} as const
