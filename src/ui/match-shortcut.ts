import { type ShortcutId, shortcuts } from './shortcuts.ts'

/** The parts of a keyboard event that decide. */
export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

export interface KeyContext {
  /** Where the focus is: in a text field letters are text. */
  readonly typing: boolean
  readonly singleLetters: boolean
  /** The letter before this one, where it is the first of a pair (`g` of `g d`) and was pressed just now. */
  readonly pendingLetter?: string | undefined
}

function chordOf(press: KeyPress): string {
  const key = press.key.toLowerCase()
  return press.ctrlKey || press.metaKey ? `mod+${key}` : key
}

/** The shortcut of a key press, if any. Shift is part of the character (`?`); Alt is left to the system. */
export function matchShortcut(press: KeyPress, context: KeyContext): ShortcutId | undefined {
  if (press.altKey) return undefined
  const chord = chordOf(press)
  const isCharacter = chord.length === 1
  if (isCharacter && (context.typing || !context.singleLetters)) return undefined
  const shortcutOf = (keys: string) =>
    shortcuts.find(shortcut => (shortcut.keys as readonly string[]).includes(keys))?.id
  return (
    (context.pendingLetter !== undefined ? shortcutOf(`${context.pendingLetter} ${chord}`) : undefined) ??
    shortcutOf(chord)
  )
}

/** The letter of a key press that is the first of a pair (`g` of `g d`), if it is. */
export function firstOfPair(press: KeyPress, context: KeyContext): string | undefined {
  const letter = chordOf(press)
  if (press.altKey || letter.length !== 1 || context.typing || !context.singleLetters) return undefined
  const isFirst = shortcuts.some(shortcut => shortcut.keys.some(keys => keys.startsWith(`${letter} `)))
  return isFirst ? letter : undefined
}

const symbols: Record<string, string> = { enter: '⏎', escape: 'Esc' }

/** A chord as people read it: `⌘K` on a Mac, `Ctrl K` elsewhere. */
export function formatKeys(chord: string, mac: boolean): string {
  const modified = chord.startsWith('mod+')
  const key = modified ? chord.slice(4) : chord
  const name = symbols[key] ?? (modified ? key.toUpperCase() : key)
  if (!modified) return name
  return mac ? `⌘${name}` : `Ctrl ${name}`
}
