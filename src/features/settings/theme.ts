import { storage } from '../../ui/storage.ts'
import { createStore } from '../../ui/store.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'

/** Also read by public/assets/theme-1.js before the first paint. */
const key = 'toolscope:theme'
const systemDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)')

function kept(): ThemeChoice {
  const choice = storage.get(key)
  return choice === 'dark' || choice === 'light' ? choice : 'system'
}

export const themeChoice = createStore<ThemeChoice>(kept())

/** What the choice comes to now. */
export function shownTheme(choice: ThemeChoice): 'light' | 'dark' {
  if (choice !== 'system') return choice
  return systemDark?.matches ? 'dark' : 'light'
}

function show(): void {
  document.documentElement.dataset.theme = shownTheme(themeChoice.get())
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') storage.remove(key)
  else storage.set(key, choice)
  themeChoice.set(choice)
  show()
}

systemDark?.addEventListener('change', show)
