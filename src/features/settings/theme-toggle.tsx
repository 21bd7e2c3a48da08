import { Moon, Sun } from 'lucide-react'
import { runCommand } from '../../commands/handlers.ts'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { shownTheme, themeChoice } from './theme.ts'

/** One press to the other theme. */
export function ThemeToggle() {
  const dark = shownTheme(useStore(themeChoice)) === 'dark'
  return (
    <IconButton
      icon={dark ? Sun : Moon}
      label={dark ? 'Light theme' : 'Dark theme'}
      onClick={() => runCommand('toggle-theme')}
    />
  )
}
