/** The scripts of earlier runs, newest last, stored by the browser. */
import { isText, storage, storedList } from '../../ui/storage.ts'

const key = 'toolscope:console:history'
const maxScripts = 100
/** Longer scripts are not kept: the user can save them under a name. */
const maxCharacters = 20_000

export const readHistory = () => storedList(key, isText)

/** Adds a script; a known one moves to the end. */
export function addToHistory(script: string): void {
  if (script.trim() === '' || script.length > maxCharacters) return
  const next = [...readHistory().filter(each => each !== script), script].slice(-maxScripts)
  storage.set(key, JSON.stringify(next))
}

/** Returns the script `step` places from `at` (`history.length` is the current text); undefined beyond the ends. */
export function stepHistory(
  history: readonly string[],
  at: number,
  step: -1 | 1,
): { readonly at: number; readonly text: string | undefined } | undefined {
  const next = at + step
  if (next < 0 || next > history.length) return undefined
  return { at: next, text: history[next] }
}
