import { Moon, Settings2, Sun } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, MenuCheck, MenuChoices, MenuItem, MenuLabel, MenuRule } from '../ui/menu.tsx'
import { runShortcut, useShortcut } from '../ui/shortcut-handlers.ts'
import { useStore } from '../ui/store.ts'
import { chooseTheme, setSingleLetters, shownTheme, singleLetters, themeChoice } from './settings.ts'
import { texts } from './texts.ts'

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** Theme and keys, under one button. */
export function SettingsMenu({ onShowKeys }: { readonly onShowKeys: () => void }) {
  const choice = useStore(themeChoice)
  const letters = useStore(singleLetters)
  const [open, setOpen] = useState(false)
  useShortcut('show-settings', () => setOpen(true))
  useShortcut('toggle-theme', () => chooseTheme(shownTheme(choice) === 'dark' ? 'light' : 'dark'))
  return (
    <Menu open={open} onOpenChange={setOpen} trigger={<IconButton icon={Settings2} label="Settings" />}>
      <MenuLabel>Theme</MenuLabel>
      <MenuChoices value={choice} choices={themes} onChange={chooseTheme} />
      <MenuRule />
      <MenuCheck checked={letters} onChange={setSingleLetters}>
        Single-letter keys
      </MenuCheck>
      <MenuItem onSelect={onShowKeys}>{texts.keyboardShortcuts}</MenuItem>
    </Menu>
  )
}

/** One press to the other theme. */
export function ThemeToggle() {
  const dark = shownTheme(useStore(themeChoice)) === 'dark'
  return (
    <IconButton
      icon={dark ? Sun : Moon}
      label={dark ? 'Light theme' : 'Dark theme'}
      onClick={() => runShortcut('toggle-theme')}
    />
  )
}
