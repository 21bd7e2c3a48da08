import { Link, useNavigate } from '@tanstack/react-router'
import { LayoutGrid } from 'lucide-react'
import { useBackend } from '../api/backend.ts'
import buttonStyles from '../ui/button.module.css'
import { IconButton } from '../ui/icon-button.tsx'
import { join } from '../ui/join.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { useShortcut } from '../ui/shortcuts/shortcut-handlers.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import styles from './page-links.module.css'
import { type Page, pages } from './pages.ts'

/** The ways to the other pages: links in a row, or one menu where the bar is short; and their keys. */
export function PageLinks() {
  const backend = useBackend()
  const narrow = useNarrow()
  const navigate = useNavigate()
  const offered = pages.filter(page => page.offered(backend))
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
