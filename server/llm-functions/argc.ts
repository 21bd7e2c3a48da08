/** Declarations in Bash: argc's comment tags (https://github.com/sigoden/argc, docs/specification.md). */
import {
  type ArgcOption,
  readArgcEnvironment,
  readArgcFlag,
  readArgcOption,
  readValue,
} from './argc-option.ts'
import {
  type Declaration,
  type DeclaredEnvironment,
  type DeclaredSource,
  parametersSchema,
} from './declaration.ts'

interface Command {
  name: string
  description: string
  readonly options: ArgcOption[]
  readonly environment: DeclaredEnvironment[]
}

/**
 * The script itself as `main` (its `@describe`, `@option`, `@flag`), then each `@cmd` by its function's name. A tool is
 * the first, an agent's functions are the others. Tags begin their line, as argc demands; lines of comment below a tag
 * go on with its text. Names have `_` for `-`. Never throws.
 */
export function argcDeclarations(source: string): DeclaredSource {
  return new ArgcReader(source.split('\n')).read()
}

const functionLine =
  /^(?:function[ \t]+([^ \t"'`()[\]{}<>$&\\;|]+)|([^ \t"'`()[\]{}<>$&\\;|]+)[ \t]*\([ \t]*\))/

class ArgcReader {
  private readonly lines: readonly string[]
  private readonly root = newCommand('main')
  private readonly commands: Command[] = []
  private readonly problems: string[] = []
  private at = 0
  /** Where the tag that is being read begins. */
  private tagAt = 0
  /** Below a function argc takes no tag but `@cmd`. */
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
      if (variable === null) this.refuse(`"@${text.slice(0, 80)}" is no variable`)
      else if (!isMisplaced)
        command.environment.push({ ...variable, ...(description === '' ? {} : { description }) })
    } else if (tag === 'arg') {
      this.withLinesBelow('')
      if (value === undefined || readValue(value) === null)
        this.refuse(`"@${text.slice(0, 80)}" is no argument`)
      else this.problems.push(`"@${text.slice(0, 80)}": a JSON input cannot fill a positional argument.`)
    } else if (tag === 'meta' && value !== undefined) {
      if (command === this.root && value.trim() === 'inherit-flag-options') this.inheritsOptions = true
    } else if (tag !== 'alias' && tag !== 'version' && tag !== 'author')
      this.refuse(`"@${text.slice(0, 80)}" is no tag of argc`)
    if (isMisplaced) this.refuse(`@${tag} stands below a function, and no @cmd above it`)
  }

  private addOption(command: Command, option: ArgcOption): void {
    const known = command.options.flatMap(({ spellings }) => spellings)
    const twice = option.spellings.find(spelling => known.includes(spelling))
    if (twice === undefined) command.options.push(option)
    else this.refuse(`${twice} is declared twice`)
  }

  /** A function below `@cmd` is a command; one whose name holds `::` is a command of a command, which is no tool. */
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

  /** Takes the lines of comment below a tag, up to the next tag or the first line that is no comment. */
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

const newCommand = (name: string): Command => ({ name, description: '', options: [], environment: [] })

function toDeclaration(command: Command, inherited: readonly ArgcOption[] = []): Declaration {
  const { name, description, options, environment } = command
  const own = new Set(options.map(({ parameter }) => parameter.name))
  const all = [...inherited.filter(({ parameter }) => !own.has(parameter.name)), ...options]
  const parameters = all
    // argc has these two itself, and the build leaves them out.
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
