/** The ids of the shortcut table, from which the palette, the keys and the help sheet are made. */
export type ShortcutId = keyof typeof table

interface ShortcutText {
  readonly title: string
  /** Other words that find it in the palette. */
  readonly words?: string
  readonly group: 'Go to' | 'Catalog' | 'Tool' | 'Diff' | 'Wire' | 'View'
  /**
   * Chords, any of which runs it: `mod+k` (⌘ on a Mac, Ctrl elsewhere), `escape`, `/`, `?`, or two letters one after
   * the other, `g d`. A single letter works only outside text fields, and can be switched off.
   */
  readonly keys: readonly string[]
  /** Not in the palette, because its effect depends on the focus. */
  readonly keysOnly?: true
}

const table = {
  palette: { title: 'Search or jump to…', group: 'Go to', keys: ['mod+k'], keysOnly: true },
  search: { title: 'Search tools', words: 'find filter list', group: 'Go to', keys: ['/'] },
  'go-sources': {
    title: 'Sources',
    words: 'servers edit stop',
    group: 'Go to',
    keys: ['g s'],
  },
  'go-history': { title: 'History', words: 'calls past log runs', group: 'Go to', keys: ['g h'] },
  'go-wire': {
    title: 'Wire',
    words: 'messages protocol json-rpc record http',
    group: 'Go to',
    keys: ['g w'],
  },
  'go-diff': {
    title: 'Diff: compare two versions',
    words: 'changes breaking',
    group: 'Go to',
    keys: ['g d'],
  },
  'go-compare': { title: 'Compare two sources’ results', group: 'Go to', keys: ['g a'] },
  'go-console': { title: 'Console', words: 'script bash shell run terminal', group: 'Go to', keys: ['g c'] },
  'go-prompt': { title: 'Prompt preview', words: 'agent tokens system lint', group: 'Go to', keys: ['g p'] },
  'add-source': { title: 'Add source', words: 'new server connect open mcp', group: 'Go to', keys: [] },
  'add-from-client': {
    title: 'Add source from another client',
    words: 'claude cursor vscode import mcp.json',
    group: 'Go to',
    keys: [],
  },
  next: { title: 'Next row or change', group: 'Catalog', keys: ['j'], keysOnly: true },
  previous: { title: 'Previous row or change', group: 'Catalog', keys: ['k'], keysOnly: true },
  'clear-search': { title: 'Clear search and filters', group: 'Catalog', keys: [] },
  'unfold-all': { title: 'Expand all groups', words: 'unfold', group: 'Catalog', keys: [] },
  call: { title: 'Call the tool, or run the script', group: 'Tool', keys: ['mod+enter'] },
  cancel: { title: 'Cancel the call or the script', group: 'Tool', keys: ['escape'] },
  'toggle-favorite': {
    title: 'Add to favorites, or remove',
    words: 'star bookmark pin',
    group: 'Tool',
    keys: ['s'],
  },
  'toggle-json': { title: 'Switch between Form and JSON', words: 'raw edit', group: 'Tool', keys: ['e'] },
  'show-versions': { title: 'Show the versions', group: 'Tool', keys: [] },
  'show-reference': {
    title: 'Show the reference',
    words: 'schema fields usage help',
    group: 'Tool',
    keys: [],
  },
  'fill-example': { title: 'Fill in an example', group: 'Tool', keys: [] },
  'fill-all': { title: 'Fill in an example of every field', group: 'Tool', keys: [] },
  'save-example': { title: 'Save the input as an example', group: 'Tool', keys: ['mod+s'] },
  reset: { title: 'Reset the input', group: 'Tool', keys: [] },
  'breaking-only': { title: 'Show breaking changes only, or all', group: 'Diff', keys: ['b'] },
  'swap-sides': { title: 'Swap the two sides', group: 'Diff', keys: [] },
  'copy-diff': { title: 'Copy the changes as Markdown', group: 'Diff', keys: [] },
  'go-to-pair': { title: 'Go to the answer, or to the request', group: 'Wire', keys: ['p'] },
  'close-message': {
    title: 'Back to the list of messages',
    group: 'Wire',
    keys: ['escape'],
    keysOnly: true,
  },
  'follow-wire': { title: 'Follow new messages, or stop', group: 'Wire', keys: ['f'] },
  'pin-message': { title: 'Pin the message, or unpin', group: 'Wire', keys: ['i'] },
  'toggle-theme': {
    title: 'Switch between dark and light',
    words: 'theme mode colors',
    group: 'View',
    keys: [],
  },
  'show-settings': { title: 'Settings', words: 'preferences options theme keys', group: 'View', keys: [] },
  'show-export': {
    title: 'Export as a static site: show the command',
    words: 'static site share publish download',
    group: 'View',
    keys: [],
  },
  'show-keys': { title: 'Keyboard shortcuts', words: 'help keys hotkeys', group: 'View', keys: ['?'] },
} as const satisfies Record<string, ShortcutText>

export interface Shortcut extends ShortcutText {
  readonly id: ShortcutId
}

export const shortcuts: readonly Shortcut[] = (Object.keys(table) as ShortcutId[]).map(id => ({
  id,
  ...table[id],
}))

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
  /** Whether a component handles the shortcut: two may have the same key on different pages. */
  readonly isHandled?: (id: ShortcutId) => boolean
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
  const { isHandled = () => false } = context
  const findShortcutId = (keys: string) => {
    const ids = shortcuts
      .filter(shortcut => (shortcut.keys as readonly string[]).includes(keys))
      .map(({ id }) => id)
    return ids.find(isHandled) ?? ids[0]
  }
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

/** Whether this is a Mac, which has ⌘ instead of Ctrl. */
export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

const symbols: Record<string, string> = { enter: '⏎', escape: 'Esc' }

/** Formats a chord for the user: `⌘K` on a Mac, `Ctrl K` elsewhere. */
export function formatKeys(chord: string, mac: boolean): string {
  const modified = chord.startsWith('mod+')
  const key = modified ? chord.slice(4) : chord
  const name = symbols[key] ?? (modified ? key.toUpperCase() : key)
  if (!modified) return name
  return mac ? `⌘${name}` : `Ctrl ${name}`
}
