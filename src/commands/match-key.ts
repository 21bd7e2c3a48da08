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
  /** The letter before this one, where it begins a pair (`g` of `g d`) and was pressed just now. */
  readonly before?: string | undefined
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
  const named = (keys: string) =>
    commands.find(command => (command.keys as readonly string[]).includes(keys))?.id
  return (setting.before !== undefined ? named(`${setting.before} ${chord}`) : undefined) ?? named(chord)
}

/** The letter of a key press that begins a pair (`g` of `g d`), if it does. */
export function beginsPair(press: KeyPress, setting: KeySetting): string | undefined {
  const letter = chordOf(press)
  if (press.altKey || letter.length !== 1 || setting.typing || !setting.singleLetters) return undefined
  const begins = commands.some(command => command.keys.some(keys => keys.startsWith(`${letter} `)))
  return begins ? letter : undefined
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
