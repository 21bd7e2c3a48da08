import { Moon, Plus, Search, Settings2, Sun } from 'lucide-react'
import { useState } from 'react'
import { useBackend } from '../api/backend.ts'
import { usePerson, useRefusal } from '../api/use-refusal.ts'
import { SourceChips } from '../features/sources/source-chips.tsx'
import { useWorkbenchNavigate } from '../navigation.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { join } from '../ui/join.ts'
import { ShortcutKeys } from '../ui/kbd.tsx'
import { Menu, MenuCheck, MenuChoices, MenuItem, MenuLabel, MenuRule } from '../ui/menu.tsx'
import { runShortcut, useShortcut } from '../ui/shortcut-handlers.ts'
import { commonTexts } from '../ui/texts.ts'
import { useStore } from '../ui/value-store.ts'
import { PageLinks } from './page-links.tsx'
import { chooseTheme, setSingleLetters, singleLetters, themeChoice, useTheme } from './settings.ts'
import styles from './shell.module.css'

const searchOrJump = 'Search or jump to…'

/** Sources with their health, the palette, theme and settings. */
export function TopBar() {
  const backend = useBackend()
  const go = useWorkbenchNavigate()
  const refused = useRefusal('POST /api/sources')
  return (
    <header className={join('row', styles.bar)}>
      <button
        type="button"
        className={join('row', styles.brand)}
        aria-label="Toolscope: to the catalog"
        onClick={() => go({ tool: undefined, tab: undefined, about: undefined })}
      >
        <Logo />
        <span className={styles.name}>Toolscope</span>
      </button>
      <SourceChips />
      {backend.has('POST /api/sources') && (
        <Button
          look="quiet"
          aria-label={commonTexts.addSource}
          refused={refused}
          onClick={() => runShortcut('add-source')}
        >
          <Plus size={14} aria-hidden />
          <span className={styles.addText}>{commonTexts.addSource}</span>
        </Button>
      )}
      <span className="grow" />
      <PageLinks />
      <button
        type="button"
        className={styles.jump}
        aria-label={searchOrJump}
        onClick={() => runShortcut('palette')}
      >
        <Search size={16} aria-hidden className={styles.jumpIcon} />
        <span>{searchOrJump}</span>
        <ShortcutKeys id="palette" />
      </button>
      <PersonName />
      <ThemeToggle />
      <SettingsMenu onShowKeys={() => runShortcut('show-keys')} />
    </header>
  )
}

/** The person that uses the page, with its rights as a tooltip. */
function PersonName() {
  const person = usePerson()
  if (person === undefined) return null
  const { name, rights, sources } = person
  const about = `You are ${name}: ${rights.join(', ')}; ${sources === undefined ? 'all sources' : sources.join(', ')}`
  return (
    <span className={styles.person} title={about}>
      <span className={styles.initial} aria-hidden>
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className={join('truncate', styles.personName)}>{name}</span>
    </span>
  )
}

/** The program's logo: a lens with cross hairs. */
function Logo() {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      <circle cx="7.5" cy="7.5" r="5.5" />
      <path d="M11.5 11.5 16 16M5 7.5h5M7.5 5v5" />
    </svg>
  )
}

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** Theme and keys, under one button. */
function SettingsMenu({ onShowKeys }: { readonly onShowKeys: () => void }) {
  const choice = useStore(themeChoice)
  const theme = useTheme()
  const letters = useStore(singleLetters)
  const [open, setOpen] = useState(false)
  useShortcut('show-settings', () => setOpen(true))
  useShortcut('toggle-theme', () => chooseTheme(theme === 'dark' ? 'light' : 'dark'))
  return (
    <Menu open={open} onOpenChange={setOpen} trigger={<IconButton icon={Settings2} label="Settings" />}>
      <MenuLabel>Theme</MenuLabel>
      <MenuChoices value={choice} choices={themes} onChange={chooseTheme} />
      <MenuRule />
      <MenuCheck checked={letters} onChange={setSingleLetters}>
        Single-letter keys
      </MenuCheck>
      <MenuItem onSelect={onShowKeys}>Keyboard shortcuts</MenuItem>
    </Menu>
  )
}

/** Switches between the light and the dark theme. */
function ThemeToggle() {
  const dark = useTheme() === 'dark'
  return (
    <IconButton
      icon={dark ? Sun : Moon}
      label={dark ? 'Light theme' : 'Dark theme'}
      onClick={() => runShortcut('toggle-theme')}
    />
  )
}
