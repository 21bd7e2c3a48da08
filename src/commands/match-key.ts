import { type CommandId, commands } from './commands.ts'

/** What of a keyboard event matters here. */
export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

export interface KeySetting {
  /** Where the focus is: in a text field letters are text. */
  readonly typing: boolean
  readonly singleLetters: boolean
}

function chordOf(press: KeyPress): string {
  const key = press.key.toLowerCase()
  return press.ctrlKey || press.metaKey ? `mod+${key}` : key
}

/** The command a key press means, if any. Shift is part of the character (`?`); Alt is left to the system. */
export function matchKey(press: KeyPress, setting: KeySetting): CommandId | undefined {
  if (press.altKey) return undefined
  const chord = chordOf(press)
  const isCharacter = chord.length === 1
  if (isCharacter && (setting.typing || !setting.singleLetters)) return undefined
  return commands.find(command => (command.keys as readonly string[]).includes(chord))?.id
}

const symbols: Record<string, string> = { enter: '⏎', escape: 'Esc' }

/** A chord as people read it: `⌘K` on a Mac, `Ctrl K` elsewhere. */
export function printKeys(chord: string, mac: boolean): string {
  const modified = chord.startsWith('mod+')
  const key = modified ? chord.slice(4) : chord
  const name = symbols[key] ?? (modified ? key.toUpperCase() : key)
  if (!modified) return name
  return mac ? `⌘${name}` : `Ctrl ${name}`
}
