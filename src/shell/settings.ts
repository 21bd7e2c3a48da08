import { storage } from '../ui/storage.ts'
import { createStore } from '../ui/value-store.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'

/** Also read by public/assets/theme-1.js before the first paint. */
const themeKey = 'toolscope:theme'
const systemDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)')

function storedTheme(): ThemeChoice {
  const choice = storage.get(themeKey)
  return choice === 'dark' || choice === 'light' ? choice : 'system'
}

export const themeChoice = createStore<ThemeChoice>(storedTheme())

/** Returns the theme that a choice means now. */
export function resolveTheme(choice: ThemeChoice): 'light' | 'dark' {
  if (choice !== 'system') return choice
  return systemDark?.matches ? 'dark' : 'light'
}

function applyTheme(): void {
  document.documentElement.dataset.theme = resolveTheme(themeChoice.get())
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') storage.remove(themeKey)
  else storage.set(themeKey, choice)
  themeChoice.set(choice)
  applyTheme()
}

systemDark?.addEventListener('change', applyTheme)

const singleLettersKey = 'toolscope:single-letters'

/** Whether single letters are shortcuts. On unless switched off (WCAG 2.1.4 asks for the switch). */
export const singleLetters = createStore(storage.get(singleLettersKey) !== 'off')

export function setSingleLetters(on: boolean): void {
  if (on) storage.remove(singleLettersKey)
  else storage.set(singleLettersKey, 'off')
  singleLetters.set(on)
}
