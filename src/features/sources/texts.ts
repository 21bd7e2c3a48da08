import type { SourceState } from '../../../core/api/sources.ts'
import { plural } from '../../ui/format.ts'

/** Texts that several components of this feature use. */
export const texts = {
  openNamed: (name: string) => `Open ${name}`,
  opening: 'Opening…',
  open: 'Open',
  name: 'Name',
  kind: 'Kind',
  tools: 'Tools',
  sources: 'Sources',
  removed: 'Removed',
  searchSources: 'Search sources',
  sourceLabel: 'Source',
  remove: 'Remove',
  log: 'Log',
  reading: 'Reading…',
  refresh: 'Refresh',
  reviewAndTrust: 'Review and trust…',
  signIn: 'Sign in',
  aboutSource: 'About the source',
  saveToConfig: 'Save to toolscope.json',
  command: 'Command',
  fromAnotherClient: 'From another client',
  partOfPair: {
    name: (noun: string, index: number) => `Name of ${noun} ${index}`,
    value: (noun: string, index: number) => `Value of ${noun} ${index}`,
  },
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
  signInTitle: 'Sign-in',
  trust: 'Trust',
  notRefreshed: (source: string, readAt: string | undefined) =>
    `${source} could not be refreshed. This is its last list${readAt ? `, read at ${readAt}` : ''}.`,
} as const
