import { Link, useNavigate } from '@tanstack/react-router'
import {
  ArrowLeftRight,
  GitCompareArrows,
  History,
  LayoutGrid,
  type LucideIcon,
  Plug,
  ScrollText,
  SquareTerminal,
} from 'lucide-react'
import { type EndpointKey, useBackend } from '../api/backend.ts'
import buttonStyles from '../ui/button.module.css'
import { IconButton } from '../ui/button.tsx'
import { join } from '../ui/join.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { useShortcut } from '../ui/shortcut-handlers.ts'
import type { ShortcutId } from '../ui/shortcuts.ts'
import { useNarrow } from '../ui/split-pane.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import styles from './shell.module.css'

/** A page other than the workbench, in the order of the top bar. A page whose data the backend lacks is hidden. */
export interface Page {
  readonly to: '/sources' | '/diff' | '/history' | '/wire' | '/prompt' | '/console'
  readonly label: string
  /** The accessible name; also the tooltip if the label is hidden. */
  readonly about: string
  readonly icon: LucideIcon
  /** The shortcut that opens the page from anywhere. */
  readonly shortcut: ShortcutId
  /** The endpoint that the page needs. */
  readonly needs: EndpointKey
}

export const pages: readonly Page[] = [
  {
    to: '/sources',
    label: 'Sources',
    about: 'Sources: add, start, edit and remove them',
    icon: Plug,
    shortcut: 'go-sources',
    needs: 'POST /api/sources/{name}/restart',
  },
  {
    to: '/history',
    label: 'History',
    about: 'History: earlier calls',
    icon: History,
    shortcut: 'go-history',
    needs: 'GET /api/history',
  },
  {
    to: '/wire',
    label: 'Wire',
    about: 'Wire: the messages to and from a source',
    icon: ArrowLeftRight,
    shortcut: 'go-wire',
    needs: 'GET /api/sources/{name}/wire',
  },
  {
    to: '/diff',
    label: 'Diff',
    about: 'Diff: compare two versions',
    icon: GitCompareArrows,
    shortcut: 'go-diff',
    needs: 'GET /api/diff',
  },
  {
    to: '/prompt',
    label: 'Prompt',
    about: 'Prompt preview: what an agent gets',
    icon: ScrollText,
    shortcut: 'go-prompt',
    needs: 'POST /api/prompt',
  },
  {
    to: '/console',
    label: 'Console',
    about: 'Console: scripts over the tools',
    icon: SquareTerminal,
    shortcut: 'go-console',
    needs: 'GET /api/commands',
  },
]

/** Links to the other pages, in a row or in one menu if the bar is short, and their shortcuts. */
export function PageLinks() {
  const backend = useBackend()
  const narrow = useNarrow()
  const navigate = useNavigate()
  const offered = pages.filter(page => backend.has(page.needs))
  // The compare page has only a shortcut and links from other pages: the bar has no room for one more.
  useShortcut(
    'go-compare',
    () => void navigate({ to: '/compare', search: {} }),
    backend.has('POST /api/compare'),
  )
  if (offered.length === 0) return null
  return (
    <>
      {offered.map(page => (
        <PageShortcut key={page.to} page={page} />
      ))}
      {narrow && offered.length > 1 ? (
        <Menu trigger={<IconButton icon={LayoutGrid} label="Pages" />}>
          {offered.map(page => (
            <MenuItem key={page.to} onSelect={() => void navigate({ to: page.to, search: {} })}>
              {page.label}
            </MenuItem>
          ))}
        </Menu>
      ) : (
        <nav className={styles.links} aria-label="Pages">
          {offered.map(page => (
            <PageLink key={page.to} page={page} />
          ))}
        </nav>
      )}
    </>
  )
}

function PageLink({ page: { to, about, label, icon: Icon } }: { readonly page: Page }) {
  return (
    <Tooltip text={about}>
      <Link to={to} className={join(buttonStyles.button, buttonStyles.quiet, styles.link)} aria-label={about}>
        <Icon size={15} aria-hidden />
        <span className={styles.label}>{label}</span>
      </Link>
    </Tooltip>
  )
}

function PageShortcut({ page }: { readonly page: Page }) {
  const navigate = useNavigate()
  useShortcut(page.shortcut, () => void navigate({ to: page.to, search: {} }))
  return null
}
