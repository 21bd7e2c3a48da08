/** The pages beside the workbench, in the order of the top bar. A page whose data the backend lacks is not offered. */
import { GitCompareArrows, History, type LucideIcon, ScrollText, SquareTerminal } from 'lucide-react'
import type { Backend } from '../api/backend.ts'
import type { ShortcutId } from '../ui/shortcuts/shortcuts.ts'

export interface Page {
  readonly to: '/diff' | '/history' | '/prompt' | '/console'
  readonly label: string
  /** The accessible name; also the tooltip where the label is hidden. */
  readonly about: string
  readonly icon: LucideIcon
  /** Goes there from anywhere. */
  readonly shortcut: ShortcutId
  readonly offered: (backend: Backend) => boolean
}

export const pages: readonly Page[] = [
  {
    to: '/history',
    label: 'History',
    about: 'History: the calls that were made',
    icon: History,
    shortcut: 'go-history',
    offered: backend => backend.history !== undefined,
  },
  {
    to: '/diff',
    label: 'Diff',
    about: 'Diff: compare two manifests',
    icon: GitCompareArrows,
    shortcut: 'go-diff',
    offered: backend => backend.diff !== undefined,
  },
  {
    to: '/prompt',
    label: 'Prompt',
    about: 'Prompt: what an agent would get',
    icon: ScrollText,
    shortcut: 'go-prompt',
    offered: backend => backend.prompt !== undefined,
  },
  {
    to: '/console',
    label: 'Console',
    about: 'Console: scripts over the tools',
    icon: SquareTerminal,
    shortcut: 'go-console',
    offered: backend => backend.consoleCommands !== undefined,
  },
]
