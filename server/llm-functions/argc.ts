/** Reads declarations in Bash: argc's comment tags (https://github.com/sigoden/argc, its specification). */
import {
  type Declaration,
  type DeclaredEnvironment,
  type DeclaredParameter,
  type DeclaredSource,
  parametersSchema,
} from './declaration.ts'

interface ArgcCommand {
  name: string
  description: string
  readonly options: ArgcOption[]
  readonly environment: DeclaredEnvironment[]
}

/**
 * Returns the script itself as `main` (its `@describe`, `@option`, `@flag`), then each `@cmd` by its function's name. A
 * tool is the first, an agent's functions are the others. Tags begin their line, as argc requires; comment lines below
 * a tag continue its text. Names have `_` instead of `-`. Never throws.
 */
export function argcDeclarations(source: string): DeclaredSource {
  return new ArgcReader(source.split('\n')).read()
}

const functionLine =
  /^(?:function[ \t]+([^ \t"'`()[\]{}<>$&\\;|]+)|([^ \t"'`()[\]{}<>$&\\;|]+)[ \t]*\([ \t]*\))/

class ArgcReader {
  private readonly lines: readonly string[]
  private readonly root = newCommand('main')
  private readonly commands: ArgcCommand[] = []
  private readonly problems: string[] = []
  private at = 0
  /** The line at which the current tag begins. */
  private tagAt = 0
  /** Below a function, argc accepts only `@cmd`. */
  private scope: 'root' | 'command' | 'below-function' = 'root'
  private inheritsOptions = false

  constructor(lines: readonly string[]) {
    this.lines = lines
  }

  read(): DeclaredSource {
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at] ?? ''
      const text = /^#+[ \t]*@(?=[\w.:@-])(.*)$/.exec(line)?.[1]
      if (text !== undefined) this.readTag(text)
      else this.readFunction(line)
    }
    const inherited = this.inheritsOptions ? this.root.options : []
    const commands = this.commands.filter(({ name }) => name !== '' && !name.startsWith('_'))
    const declarations = [
      toDeclaration(this.root),
      ...commands.map(command => toDeclaration(command, inherited)),
    ]
    return { declarations, problems: this.problems }
  }

  private readTag(text: string): void {
    this.tagAt = this.at
    const [, tag = '', value] = /^([a-z]+)(?:[ \t]+(.*))?$/.exec(text) ?? []
    if (tag === 'cmd') {
      if (this.scope === 'command') this.refuse('the @cmd above has no function')
      this.scope = 'command'
      this.commands.push({ ...newCommand(''), description: this.withLinesBelow(value ?? '') })
      return
    }
    const command = this.commands.at(-1) ?? this.root
    const isMisplaced = this.scope === 'below-function'
    if (tag === 'describe') {
      const description = this.withLinesBelow(value ?? '')
      if (!isMisplaced) command.description = description
    } else if (tag === 'option' || tag === 'flag') {
      const option = value === undefined ? null : tag === 'flag' ? readArgcFlag(value) : readArgcOption(value)
      const description = this.withLinesBelow(option?.description ?? '')
      if (option === null) this.refuse(`"@${text.slice(0, 80)}" is no ${tag}`)
      else if (!isMisplaced) this.addOption(command, { ...option, description })
    } else if (tag === 'env') {
      const variable = value === undefined ? null : readArgcEnvironment(value)
      const description = this.withLinesBelow(variable?.description ?? '')
      if (variable === null) this.refuse(`"@${text.slice(0, 80)}" is not a variable`)
      else if (!isMisplaced)
        command.environment.push({ ...variable, ...(description === '' ? {} : { description }) })
    } else if (tag === 'arg') {
      this.withLinesBelow('')
      if (value === undefined || readValue(value) === null)
        this.refuse(`"@${text.slice(0, 80)}" is not an argument`)
      else this.problems.push(`"@${text.slice(0, 80)}": a JSON input cannot fill a positional argument.`)
    } else if (tag === 'meta' && value !== undefined) {
      if (command === this.root && value.trim() === 'inherit-flag-options') this.inheritsOptions = true
    } else if (tag !== 'alias' && tag !== 'version' && tag !== 'author')
      this.refuse(`"@${text.slice(0, 80)}" is not a tag of argc`)
    if (isMisplaced) this.refuse(`@${tag} is below a function, without a @cmd above it`)
  }

  private addOption(command: ArgcCommand, option: ArgcOption): void {
    const known = command.options.flatMap(({ spellings }) => spellings)
    const twice = option.spellings.find(spelling => known.includes(spelling))
    if (twice === undefined) command.options.push(option)
    else this.refuse(`${twice} is declared twice`)
  }

  /** A function below `@cmd` is a command. A name with `::` is a subcommand of a command, which is not a tool. */
  private readFunction(line: string): void {
    const [, first, second] = functionLine.exec(line) ?? []
    const name = first ?? second
    if (name === undefined) return
    const command = this.commands.at(-1)
    if (this.scope === 'command' && command !== undefined) {
      if (name.includes('::')) this.commands.pop()
      else command.name = name.replace(/_+$/, '')
    }
    this.scope = 'below-function'
  }

  /** Reads the comment lines below a tag, up to the next tag or the first line that is not a comment. */
  private withLinesBelow(text: string): string {
    const all = [text]
    for (; ; this.at++) {
      const line = this.lines[this.at + 1] ?? ''
      const below = /^#+[ \t]*$/.test(line) ? '' : /^#+(?!#)[ \t]?(?![ \t]*@)(.*)$/.exec(line)?.[1]
      if (below === undefined) return all.join('\n').trim()
      all.push(below.replace(/^\\@/, '@'))
    }
  }

  private refuse(reason: string): void {
    this.problems.push(`argc refuses it: line ${this.tagAt + 1}: ${reason}.`)
  }
}

const newCommand = (name: string): ArgcCommand => ({ name, description: '', options: [], environment: [] })

function toDeclaration(command: ArgcCommand, inherited: readonly ArgcOption[] = []): Declaration {
  const { name, description, options, environment } = command
  const own = new Set(options.map(({ parameter }) => parameter.name))
  const all = [...inherited.filter(({ parameter }) => !own.has(parameter.name)), ...options]
  const parameters = all
    // argc defines these two itself, and the build leaves them out.
    .filter(({ parameter }) => parameter.name !== 'help' && parameter.name !== 'version')
    .map(({ parameter, description: text }) => {
      const { enum: choices, ...type } = parameter.property
      return {
        name: underscored(parameter.name),
        required: parameter.required,
        property: {
          ...type,
          ...(text === '' ? {} : { description: text }),
          ...(choices === undefined ? {} : { enum: choices }),
        },
      }
    })
  return {
    name: underscored(name),
    description,
    inputSchema: parametersSchema(parameters, true),
    ...(environment.length > 0 ? { environment } : {}),
  }
}

const underscored = (name: string) => name.replaceAll('-', '_')

/* Reads the value of one tag, `-s --name![a|b] <INT> text`, by argc's grammar. */

interface ArgcOption {
  /** `--name` and `-n`: options of one command must not share a spelling. */
  readonly spellings: readonly string[]
  readonly parameter: DeclaredParameter
  /** Text on the tag's line; lines below may continue it. */
  readonly description: string
}

const shortName = '[A-Za-z0-9!#$%*+,./:=?@[\\]^_{}~]'
const longHead = new RegExp(`^(?:([-+]?${shortName})(?=[ \\t]))?[ \\t]*(--(?!-)|-(?!-)|\\+(?!\\+))`)
const shortFlag = new RegExp(`^[ \\t]*([-+])(${shortName})\\*?`)

/** Returns null if argc refuses it. */
function readArgcOption(text: string): ArgcOption | null {
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

/** Reads a flag, which has no value. Returns null if argc refuses it. */
function readArgcFlag(text: string): ArgcOption | null {
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

/** Reads `NAME!=default text` of `@env`. Returns null if argc refuses it. */
function readArgcEnvironment(text: string): DeclaredEnvironment | null {
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
  /**
   * `!` required, `~` all remaining words, `*` many, `+` many and required; the last two with an optional separator.
   */
  readonly mark: string
  readonly choices?: readonly string[]
  readonly hasDefault: boolean
  readonly rest: string
}

const quotedText = /^(?:'((?:[^\\']|\\')*)'|"((?:[^\\"]|\\")*)")/
const functionName = /^`[^ \t"'`()[\]{}<>$&\\;|]+`/

/** Reads a name with its mark, then choices or a default. Returns null if argc refuses it. */
function readValue(text: string): Value | null {
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

/**
 * Reads `a|b]`, `=a|b]` with the first as the default, or the name of a function, whose choices only running it would
 * show.
 */
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

/** Reads `<INT> <FILE>`, each after exactly one space. */
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

/**
 * Returns the text after a value: empty, or separated by white space. Returns null if text follows the value directly.
 */
function readTail(text: string): string | null {
  return text === '' || /^[ \t]/.test(text) ? text.trim() : null
}

/** `name-` accepts any name with this prefix, `name:` takes its value with `=`; a doubled sign is the sign itself. */
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
