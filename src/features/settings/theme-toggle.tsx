import { Moon, Sun } from 'lucide-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { runShortcut } from '../../ui/shortcuts/shortcut-handlers.ts'
import { useStore } from '../../ui/store.ts'
import { shownTheme, themeChoice } from './theme.ts'

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
