/** Completes the word at the caret: a command, one of its flags, or a value of a flag. */

import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import { listFlags, openInput } from '../../../core/prompt/usage-line.ts'
import { flagTypes } from '../../../core/script/flag-types.ts'
import type { JsonSchema, Tool } from '../../../core/tool/tool.ts'
import { type ShellToken, shellTokens } from './shell-tokens.ts'

export type CompletionTarget = { readonly from: number; readonly prefix: string } & (
  | { readonly kind: 'command' }
  | { readonly kind: 'flag'; readonly command: string; readonly used: ReadonlySet<string> }
  /** `joined`: the value follows `=` and not a space. */
  | { readonly kind: 'value'; readonly command: string; readonly flag: string; readonly joined: boolean }
)

export interface CompletionItem {
  /** The text that replaces the prefix. */
  readonly insert: string
  readonly label: string
  /** Shown next to the label. */
  readonly detail?: string
}

/** The most items in one list. */
const maxItems = 50

/** Returns what the caret is on; undefined inside a string, a comment or a variable. */
export function targetAt(text: string, caret: number): CompletionTarget | undefined {
  const tokens = shellTokens(text.slice(0, caret))
  const words = currentCommand(tokens)
  const last = tokens.at(-1)
  const command = words.find(token => token.kind === 'command')
  if (last === undefined || last.kind === 'operator') return { kind: 'command', from: caret, prefix: '' }
  if (last.kind === 'command') return { kind: 'command', from: last.at, prefix: last.text }
  if (last.kind === 'keyword') return undefined
  if (command === undefined)
    return last.kind === 'space' ? { kind: 'command', from: caret, prefix: '' } : undefined
  const before = words.filter(token => token.kind !== 'space' && token !== last)
  if (last.kind === 'flag') {
    const equals = last.text.indexOf('=')
    if (equals >= 0)
      return {
        kind: 'value',
        from: last.at + equals + 1,
        prefix: last.text.slice(equals + 1),
        command: command.text,
        flag: last.text.slice(2, equals),
        joined: true,
      }
    return { kind: 'flag', from: last.at, prefix: last.text, command: command.text, used: usedFlags(before) }
  }
  if (last.kind !== 'space' && last.kind !== 'word') return undefined
  const prefix = last.kind === 'word' ? last.text : ''
  const from = caret - prefix.length
  if (command.text === 'help') return { kind: 'command', from, prefix }
  const previous = before.at(-1)
  if (previous?.kind === 'flag' && !previous.text.includes('='))
    return { kind: 'value', from, prefix, command: command.text, flag: previous.text.slice(2), joined: false }
  if (prefix !== '') return undefined
  return { kind: 'flag', from, prefix, command: command.text, used: usedFlags(before) }
}

/** Returns the words since the last command began. */
function currentCommand(tokens: readonly ShellToken[]): readonly ShellToken[] {
  const at = tokens.findLastIndex(token => token.kind === 'operator' || token.kind === 'keyword')
  return tokens.slice(at + 1)
}

function usedFlags(tokens: readonly ShellToken[]): ReadonlySet<string> {
  return new Set(tokens.flatMap(({ kind, text }) => (kind === 'flag' ? [text.split('=', 1)[0] ?? ''] : [])))
}

/** Returns the items for a target. `tool` is the tool of the target's command, once it is loaded. */
export function completionsAt(
  target: CompletionTarget,
  commands: readonly ConsoleCommand[],
  tool: Tool | undefined,
): CompletionItem[] {
  const wanted = target.prefix.toLowerCase()
  const items = listCompletions(target, commands, tool)
  const starts = items.filter(({ label }) => label.toLowerCase().startsWith(wanted))
  if (target.kind !== 'command') return starts.slice(0, maxItems)
  const contains = items.filter(item => !starts.includes(item) && item.label.toLowerCase().includes(wanted))
  return [...starts, ...contains].slice(0, maxItems)
}

function listCompletions(
  target: CompletionTarget,
  commands: readonly ConsoleCommand[],
  tool: Tool | undefined,
) {
  if (target.kind === 'command') return commandItems(commands)
  const flags = ownFlags.get(target.command)
  if (flags) return flags.map(flag => wordItem(flag))
  if (tool === undefined) return []
  if (target.kind === 'flag') return flagItems(tool, target.used)
  // A switch takes no value: the next word is another flag.
  if (!target.joined && isSwitch(tool, target.flag)) return flagItems(tool, new Set([`--${target.flag}`]))
  return valueItems(tool, target.flag)
}

function commandItems(commands: readonly ConsoleCommand[]): CompletionItem[] {
  return [
    ...commands.map(({ command, summary }) => wordItem(command, summary)),
    wordItem('help', 'What a tool takes'),
    wordItem('discover', 'Find tools'),
    wordItem('jq', 'Filter JSON'),
  ]
}

const ownFlags = new Map([
  ['help', ['--list', '--json']],
  ['discover', ['--search', '--categories', '--category', '--tag', '--json']],
])

/** Returns an item that inserts the word and a space. */
function wordItem(label: string, detail?: string): CompletionItem {
  return { insert: `${label} `, label, ...(detail !== undefined && { detail }) }
}

function flagItems(tool: Tool, used: ReadonlySet<string>): CompletionItem[] {
  const flags = listFlags(tool.inputSchema)
    .filter(({ name }) => /^[^\s='"]+$/.test(name))
    // Required flags come first.
    .toSorted((one, other) => Number(other.required) - Number(one.required))
    .map(({ name, hint, required }) => wordItem(`--${name}`, required ? `${hint} · required` : hint))
  return [...flags, ...generalFlags].filter(({ label }) => !used.has(label))
}

const generalFlags = [
  wordItem('--dry-run', 'check the input, call nothing'),
  wordItem('--help', 'what the tool takes'),
]

function valueItems(tool: Tool, flag: string): CompletionItem[] {
  return listFlagValues(tool.inputSchema, flag).map(value => ({
    insert: `${/^[\w@%+:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`} `,
    label: value,
  }))
}

/** Returns the values that the flag's schema lists: enum, const, true and false. */
function listFlagValues(schema: JsonSchema, flag: string): string[] {
  const { planner, fields } = openInput(schema)
  const field = fields.find(({ name }) => name === flag)
  if (field === undefined) return []
  const node = planner.plan(field.schema)
  const listed = node.kind === 'array' ? planner.plan(node.items) : node
  if (listed.kind === 'enum') return listed.options.flatMap(({ value }) => scalarText(value))
  if (listed.kind === 'const') return scalarText(listed.value)
  if (flagTypes(planner, field.schema).has('boolean') && listed.kind === 'boolean') return ['true', 'false']
  return []
}

function isSwitch(tool: Tool, flag: string): boolean {
  return listFlags(tool.inputSchema).some(({ name, hint }) => name === flag && hint === 'boolean')
}

const scalarText = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? [] : [String(value)]
