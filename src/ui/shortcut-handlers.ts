import {
  type KeyboardEvent as ReactKeyboardEvent,
  useEffect,
  useEffectEvent,
  useSyncExternalStore,
} from 'react'
import { firstOfPair, matchShortcut, type ShortcutId } from './shortcuts.ts'
import { createStore, useStore } from './value-store.ts'

/** The current handler of each shortcut. A component registers its handlers while it is mounted. */
const handlers = createStore<ReadonlyMap<ShortcutId, () => void>>(new Map())

/** Runs a shortcut. Returns false if no component handles it. */
export function runShortcut(id: ShortcutId): boolean {
  const handler = handlers.get().get(id)
  handler?.()
  return handler !== undefined
}

/** Handles a shortcut while the component is mounted and `enabled`. */
export function useShortcut(id: ShortcutId, run: () => void, enabled = true): void {
  const handler = useEffectEvent(run)
  useEffect(() => {
    if (!enabled) return
    const call = () => handler()
    handlers.set(new Map(handlers.get()).set(id, call))
    return () => {
      const others = new Map(handlers.get())
      if (others.get(id) !== call) return
      others.delete(id)
      handlers.set(others)
    }
  }, [id, enabled])
}

/** Returns the shortcuts that a component handles now. */
export function useAvailableShortcuts(): readonly ShortcutId[] {
  return [...useStore(handlers).keys()]
}

/** Returns whether a component handles this shortcut now. */
export function useIsAvailable(id: ShortcutId): boolean {
  return useSyncExternalStore(handlers.subscribe, () => handlers.get().has(id))
}

/** The maximum time between the two letters of a pair. */
const maxPairMs = 1_500

/** Types of input that take no text: in them, letters are shortcuts. */
const typesWithoutText = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'color', 'file'])

function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !typesWithoutText.has(target.type)
  return target.isContentEditable || target.closest('textarea, select, .monaco-editor, [role=menu]') !== null
}

/** Handles the keys of all shortcuts while mounted. */
export function useShortcutKeys(singleLetters: boolean): void {
  useEffect(() => {
    let first: { readonly letter: string; readonly at: number } | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      // Already handled: an open menu or dialog closes on Escape, a list moves by its own keys.
      if (event.defaultPrevented || event.isComposing) return
      if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
      const pendingLetter = first && event.timeStamp - first.at < maxPairMs ? first.letter : undefined
      const context = { typing: takesText(event.target), singleLetters, pendingLetter }
      const letter = firstOfPair(event, context)
      first = letter === undefined ? undefined : { letter, at: event.timeStamp }
      const id = matchShortcut(event, { ...context, isHandled: each => handlers.get().has(each) })
      if (!id) return
      // While a window is open, only the palette's own shortcut reaches the page below it.
      if (id !== 'palette' && document.querySelector('[role=dialog]')) return
      // A held key repeats only a step in a list.
      const isDone = event.repeat && id !== 'next' && id !== 'previous'
      if (isDone || runShortcut(id)) event.preventDefault()
    }
    // In the text editor this key begins a pair of its own, and the next key would be lost.
    const onEditorKey = (event: KeyboardEvent) => {
      const isInEditor = event.target instanceof Element && event.target.closest('.monaco-editor') !== null
      if (!isInEditor || matchShortcut(event, { typing: true, singleLetters }) !== 'palette') return
      event.preventDefault()
      event.stopPropagation()
      if (!event.repeat) runShortcut('palette')
    }
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener('keydown', onEditorKey, { capture: true })
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('keydown', onEditorKey, { capture: true })
    }
  }, [singleLetters])
}

/** Runs the pressed key's action and stops the event; ignores chords. */
export function runKey(event: ReactKeyboardEvent, actions: ReadonlyMap<string, () => void>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
  const action = actions.get(event.key)
  if (!action) return
  event.preventDefault()
  action()
}
