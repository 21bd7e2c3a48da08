/** The value of one tag of argc: `-s --name![a|b] <INT> text`, read as argc's own grammar reads it. */
import type { DeclaredEnvironment, DeclaredParameter } from './declaration.ts'

/** What argc says of a `@flag` or `@option`. */
export interface ArgcOption {
  /** `--name` and `-n`: no two options of a command share one. */
  readonly spellings: readonly string[]
  readonly parameter: DeclaredParameter
  /** Its own text; lines below may go on with it. */
  readonly description: string
}

const shortName = '[A-Za-z0-9!#$%*+,./:=?@[\\]^_{}~]'
const longHead = new RegExp(`^(?:([-+]?${shortName})(?=[ \\t]))?[ \\t]*(--(?!-)|-(?!-)|\\+(?!\\+))`)
const shortFlag = new RegExp(`^[ \\t]*([-+])(${shortName})\\*?`)

/** Null where argc refuses it. */
export function readArgcOption(text: string): ArgcOption | null {
  const head = longHead.exec(text)
  const value = head === null ? null : readValue(text.slice(head[0].length))
  if (head === null || value === null) return null
  const { notations, tail } = readNotations(withoutBoundVariable(value.rest))
  const description = readTail(tail)
  if (description === null) return null
  const name = withoutSuffix(value.name)
  const named = notations.length > 0 ? notations : [name]
  const first = toCobolCase(named[0] ?? '') + (value.mark === '~' && named.length === 1 ? '~' : '')
  const isList = value.mark.startsWith('*') || value.mark.startsWith('+')
  const type = isList
    ? { type: 'array', items: { type: 'string' } }
    : { type: first === 'INT' ? 'integer' : first === 'NUM' ? 'number' : 'string' }
  const required = (value.mark === '!' || value.mark.startsWith('+')) && !value.hasDefault
  const choices = value.choices === undefined ? {} : { enum: value.choices }
  return toOption(head, name, description, { ...type, ...choices }, required)
}

/** A flag has no value; null where argc refuses it. */
export function readArgcFlag(text: string): ArgcOption | null {
  const head = longHead.exec(text)
  const long = head === null ? null : /^([\w.:@-]+)\*?/.exec(text.slice(head[0].length))
  const short = shortFlag.exec(text)
  for (const [match, name, end] of [
    [head, withoutSuffix(long?.[1] ?? ''), (head?.[0].length ?? 0) + (long?.[0].length ?? 0)],
    [short, short?.[2] ?? '', short?.[0].length ?? 0],
  ] as const) {
    const description = match === null || name === '' ? null : readTail(withoutBoundVariable(text.slice(end)))
    if (match !== null && description !== null)
      return toOption(
        match === short ? ['', '', short[1] ?? ''] : match,
        name,
        description,
        { type: 'boolean' },
        false,
      )
  }
  return null
}

function toOption(
  [, short, prefix = '']: readonly (string | undefined)[],
  name: string,
  description: string,
  property: object,
  required: boolean,
): ArgcOption {
  const id = prefix === '+' ? `plus_${name}` : name
  return {
    spellings: [prefix + name, ...(short ? [short] : [])],
    parameter: { name: id, property: { ...property }, required },
    description,
  }
}

/** `NAME!=default text` of `@env`; null where argc refuses it. */
export function readArgcEnvironment(text: string): DeclaredEnvironment | null {
  const value = readValue(text)
  const description = value === null ? null : readTail(value.rest)
  if (value === null || description === null) return null
  return {
    name: value.name,
    required: value.mark === '!' && !value.hasDefault,
    ...(description === '' ? {} : { description }),
  }
}

interface Value {
  readonly name: string
  /** `!` required, `~` all that is left, `*` many, `+` many and required, these two with an optional separator. */
  readonly mark: string
  readonly choices?: readonly string[]
  readonly hasDefault: boolean
  readonly rest: string
}

const quotedText = /^(?:'((?:[^\\']|\\')*)'|"((?:[^\\"]|\\")*)")/
const functionName = /^`[^ \t"'`()[\]{}<>$&\\;|]+`/

/** A name with its mark, then choices or a default. Null where argc refuses it. */
export function readValue(text: string): Value | null {
  const [whole, name = '', mark = ''] = /^([\w.:@-]+)(!|~|[*+][,:;@|/]?|)/.exec(text) ?? []
  if (whole === undefined) return null
  const rest = text.slice(whole.length)
  const value = { name, mark, hasDefault: false, rest }
  if (rest.startsWith('[')) return readChoices(value, rest.slice(1))
  if (mark !== '' || !rest.startsWith('=')) return value
  const given = rest.slice(1)
  const end = (functionName.exec(given) ?? quotedText.exec(given) ?? /^\S*/.exec(given))?.[0].length ?? 0
  return { ...value, hasDefault: true, rest: given.slice(end) }
}

/** `a|b]`, `=a|b]` with the first as the default, or the name of a function: only running it would tell its choices. */
function readChoices(value: Value, text: string): Value | null {
  const called = functionName.exec(text.replace(/^\?/, ''))
  if (called !== null) {
    const end = called[0].length + (text.startsWith('?') ? 1 : 0)
    return text[end] === ']' ? { ...value, rest: text.slice(end + 1) } : null
  }
  const hasDefault = text.startsWith('=')
  const choices: string[] = []
  let rest = hasDefault ? text.slice(1) : text
  for (;;) {
    if (/^[=`]/.test(rest)) return null
    const quoted = quotedText.exec(rest)
    const choice = quoted === null ? (/^[^|\]]*/.exec(rest)?.[0] ?? '') : (quoted[1] ?? quoted[2] ?? '')
    choices.push(choice)
    rest = rest.slice(quoted?.[0].length ?? choice.length)
    if (!rest.startsWith('|')) break
    rest = rest.slice(1)
  }
  if (!rest.startsWith(']') || (hasDefault && choices.length < 2)) return null
  return { ...value, choices, hasDefault, rest: rest.slice(1) }
}

const withoutBoundVariable = (text: string) => text.replace(/^ \$(?:\$|[A-Z_]+)/, '')

/** `<INT> <FILE>`, each after exactly one space. */
function readNotations(text: string): { readonly notations: readonly string[]; readonly tail: string } {
  const notations: string[] = []
  let tail = text
  while (tail.startsWith(' <')) {
    let depth = 1
    let at = 2
    for (; at < tail.length; at++) {
      if (tail[at] === '<') depth++
      else if (tail[at] === '>' && --depth === 0) break
    }
    if (depth > 0) break
    notations.push(tail.slice(2, at))
    tail = tail.slice(at + 1)
  }
  return { notations, tail }
}

/** The text behind a value: nothing, or white space and what follows. Null where something clings to the value. */
function readTail(text: string): string | null {
  return text === '' || /^[ \t]/.test(text) ? text.trim() : null
}

/** `name-` takes any name that begins so, `name:` takes its value with `=`; the doubled sign is the sign itself. */
function withoutSuffix(name: string): string {
  return name.replace(/(?::(:)|:)$/, '$1').replace(/(?:-(-)|-)$/, '$1')
}

/** `fooBar`, `foo_bar` → `FOO-BAR`. */
function toCobolCase(text: string): string {
  const words = text.replace(/([a-z])([A-Z])/g, '$1-$2').split(/[_-]/)
  return words
    .filter(word => word !== '')
    .join('-')
    .toUpperCase()
}
