/** One line of argc: `-s --name![a|b] <INT> text`. */
import { withoutUndefined } from '../../../../core/json/json.ts'
import type { DeclaredEnvironment, DeclaredParameter } from './declaration.ts'

interface Head {
  readonly name: string
  readonly required: boolean
  readonly multiple: boolean
  readonly choices?: readonly string[]
  readonly fallback?: string
  readonly rest: string
}

/** The value after `@option`. Null where it is no option. */
export function readArgcOption(text: string): DeclaredParameter | null {
  const head = readHead(text)
  if (head === null) return null
  const [, notation = '', description = ''] = /^((?:<[^>]*>\s*)*)([\s\S]*)$/.exec(head.rest) ?? []
  const first = /<([^>]*)>/.exec(notation)?.[1]?.replace(/[*+?]$/, '')
  const type = head.multiple
    ? 'string[]'
    : first === 'INT'
      ? 'integer'
      : first === 'NUM'
        ? 'number'
        : 'string'
  return {
    name: head.name,
    type,
    required: head.required,
    ...(head.choices === undefined ? {} : { choices: head.choices }),
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    ...(head.fallback === undefined ? {} : { default: head.fallback }),
  }
}

/** The value after `@flag`. */
export function readArgcFlag(text: string): DeclaredParameter | null {
  const head = readHead(text)
  if (head === null) return null
  const description = head.rest.trim()
  return {
    name: head.name,
    type: 'boolean',
    required: false,
    ...(description === '' ? {} : { description }),
  }
}

/** The value after `@env`: `NAME!=default text`. */
export function readArgcEnvironment(text: string): DeclaredEnvironment | null {
  const match = /^([A-Za-z_]\w*)(!?)(?:\[[^\]]*\])?(=\S*)?\s*([\s\S]*)$/.exec(text.trim())
  if (match === null) return null
  const [, name = '', mark, fallback, description = ''] = match
  return {
    name,
    required: mark === '!' && fallback === undefined,
    ...(description.trim() === '' ? {} : { description: description.trim() }),
  }
}

/** Short names, the long one, its mark (`!` required, `*` many, `+` both), choices, default and bound variable. */
function readHead(text: string): Head | null {
  const name = /^\s*(?:-[A-Za-z0-9]\s+)*--?([A-Za-z0-9][\w.:-]*)/.exec(text)
  if (name?.[1] === undefined) return null
  let rest = text.slice(name[0].length)
  const mark = /^([!*+]?),?/.exec(rest) ?? ['', '']
  rest = rest.slice(mark[0].length)
  const list = /^\[([^\]]*)\]/.exec(rest)
  rest = rest.slice(list?.[0].length ?? 0)
  const set = /^=("[^"]*"|'[^']*'|`[^`]*`|\S*)/.exec(rest)
  rest = rest.slice(set?.[0].length ?? 0)
  const bound = /^\s+\$\$?\w*/.exec(rest)
  rest = rest.slice(bound?.[0].length ?? 0).trimStart()
  const inner = list?.[1] ?? ''
  // Choices or a default in backquotes come from a function of the script: only running it would tell.
  const choices = list === null || inner.includes('`') ? undefined : inner.replace(/^=/, '').split('|')
  const given = set?.[1]?.startsWith('`') ? undefined : set?.[1]?.replace(/^(["'])(.*)\1$/, '$2')
  const fallback = given ?? (inner.startsWith('=') ? choices?.[0] : undefined)
  return {
    name: name[1].replaceAll('-', '_'),
    required: mark[1] === '!' || mark[1] === '+',
    multiple: mark[1] === '*' || mark[1] === '+',
    ...withoutUndefined({ choices, fallback }),
    rest,
  }
}
