import { type ShortcutId, shortcuts } from './shortcuts.ts'

/** The parts of a keyboard event that select a shortcut. */
export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

export interface KeyContext {
  /** Whether the focus is in a text field, where letters are text. */
  readonly typing: boolean
  readonly singleLetters: boolean
  /** The previous letter, if it starts a pair (`g` of `g d`) and was pressed just before. */
  readonly pendingLetter?: string | undefined
}

function toChord(press: KeyPress): string {
  const key = press.key.toLowerCase()
  return press.ctrlKey || press.metaKey ? `mod+${key}` : key
}

/** Returns the shortcut of a key press, if any. Shift is part of the character (`?`); Alt belongs to the system. */
export function matchShortcut(press: KeyPress, context: KeyContext): ShortcutId | undefined {
  if (press.altKey) return undefined
  const chord = toChord(press)
  const isCharacter = chord.length === 1
  if (isCharacter && (context.typing || !context.singleLetters)) return undefined
  const findShortcutId = (keys: string) =>
    shortcuts.find(shortcut => (shortcut.keys as readonly string[]).includes(keys))?.id
  return (
    (context.pendingLetter !== undefined ? findShortcutId(`${context.pendingLetter} ${chord}`) : undefined) ??
    findShortcutId(chord)
  )
}

/** Returns the letter of a key press, if it starts a pair (`g` of `g d`). */
export function firstOfPair(press: KeyPress, context: KeyContext): string | undefined {
  const letter = toChord(press)
  if (press.altKey || letter.length !== 1 || context.typing || !context.singleLetters) return undefined
  const isFirst = shortcuts.some(shortcut => shortcut.keys.some(keys => keys.startsWith(`${letter} `)))
  return isFirst ? letter : undefined
}

const symbols: Record<string, string> = { enter: '⏎', escape: 'Esc' }

/** Formats a chord for the user: `⌘K` on a Mac, `Ctrl K` elsewhere. */
export function formatKeys(chord: string, mac: boolean): string {
  const modified = chord.startsWith('mod+')
  const key = modified ? chord.slice(4) : chord
  const name = symbols[key] ?? (modified ? key.toUpperCase() : key)
  if (!modified) return name
  return mac ? `⌘${name}` : `Ctrl ${name}`
}
