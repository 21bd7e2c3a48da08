import { useEffect } from 'react'
import { runCommand } from './handlers.ts'
import { beginsPair, matchKey } from './match-key.ts'

/** Milliseconds within which the second letter of a pair has to follow. */
const pairTime = 1_500

/** Kinds of input that take no text: letters are free there. */
const textless = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'color', 'file'])

function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !textless.has(target.type)
  return target.isContentEditable || target.closest('textarea, select, .monaco-editor, [role=menu]') !== null
}

/** Listens for the keys of the command list while mounted. */
export function useKeys(singleLetters: boolean): void {
  useEffect(() => {
    let before: { readonly letter: string; readonly at: number } | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      // Already used: an open menu or dialog closes on Escape, a list moves by its own keys.
      if (event.defaultPrevented || event.isComposing) return
      if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
      const fresh = before && event.timeStamp - before.at < pairTime ? before.letter : undefined
      const setting = { typing: takesText(event.target), singleLetters, before: fresh }
      const letter = beginsPair(event, setting)
      before = letter === undefined ? undefined : { letter, at: event.timeStamp }
      const id = matchKey(event, setting)
      if (!id) return
      // While a window is open only the palette's own key reaches the page beneath it.
      if (id !== 'palette' && document.querySelector('[role=dialog]')) return
      if (runCommand(id)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [singleLetters])
}

/** Whether this is a Mac, where ⌘ takes the part of Ctrl. */
export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')
