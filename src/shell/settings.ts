import { storage } from '../ui/storage.ts'
import { createStore, useStore } from '../ui/value-store.ts'

type Theme = 'light' | 'dark'
export type ThemeChoice = 'system' | Theme

/** Also read by public/assets/theme-1.js before the first paint. */
const themeKey = 'toolscope:theme'
const systemDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)')
/** Only its event changes it: after a change, Chromium drops the event if `matches` was read before the next frame. */
const systemTheme = createStore<Theme>(systemDark?.matches ? 'dark' : 'light')

function storedTheme(): ThemeChoice {
  const choice = storage.get(themeKey)
  return choice === 'dark' || choice === 'light' ? choice : 'system'
}

export const themeChoice = createStore<ThemeChoice>(storedTheme())

/** Returns the theme of the page. The component renders again when it changes. */
export function useTheme(): Theme {
  const choice = useStore(themeChoice)
  const system = useStore(systemTheme)
  return choice === 'system' ? system : choice
}

function applyTheme(): void {
  const choice = themeChoice.get()
  document.documentElement.dataset.theme = choice === 'system' ? systemTheme.get() : choice
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') storage.remove(themeKey)
  else storage.set(themeKey, choice)
  themeChoice.set(choice)
  applyTheme()
}

systemDark?.addEventListener('change', ({ matches }) => {
  systemTheme.set(matches ? 'dark' : 'light')
  applyTheme()
})

const singleLettersKey = 'toolscope:single-letters'

/** Whether single letters are shortcuts. On unless switched off (WCAG 2.1.4 asks for the switch). */
export const singleLetters = createStore(storage.get(singleLettersKey) !== 'off')

export function setSingleLetters(on: boolean): void {
  if (on) storage.remove(singleLettersKey)
  else storage.set(singleLettersKey, 'off')
  singleLetters.set(on)
}
