/** Declarations in Bash: argc's comment tags (https://github.com/sigoden/argc, docs/specification.md). */
import { readArgcEnvironment, readArgcFlag, readArgcOption } from './argc-option.ts'
import {
  type Declaration,
  type DeclaredEnvironment,
  type DeclaredParameter,
  type DeclaredSource,
  MAX_SOURCE_LENGTH,
} from './declaration.ts'

interface Open {
  name: string
  description: string
  readonly parameters: DeclaredParameter[]
  readonly environment: DeclaredEnvironment[]
}

const emptyDeclaration = (): Open => ({ name: '', description: '', parameters: [], environment: [] })

/**
 * The script itself as `main` (its `@describe`, `@option`, `@flag`), then each `@cmd` by its function's name. A tool
 * is the first, an agent's functions are the others. Names have `_` for `-`. Never throws.
 */
export function argcDeclarations(source: string): DeclaredSource {
  if (source.length > MAX_SOURCE_LENGTH)
    return { declarations: [], problems: ['The source is too long to be read.'] }
  const root = { ...emptyDeclaration(), name: 'main' }
  const commands: Open[] = []
  const problems: string[] = []
  let current: Open = root
  let lastTag = ''
  for (const line of source.split('\n')) {
    const comment = /^\s*#(.*)$/.exec(line)?.[1]
    if (comment === undefined) {
      const name = /^\s*(?:function\s+)?([\w.:-]+)\s*\(\)|^\s*function\s+([\w.:-]+)/.exec(line)
      if (name && current !== root && current.name === '')
        current.name = underscored(name[1] ?? name[2] ?? '')
      // A command's tags stand right above its function; below it the script is the subject again.
      if (line.trim() !== '' && current.name !== '') current = root
      lastTag = ''
      continue
    }
    const [, tag = '', text = ''] = /^\s*@([\w-]+)\s*(.*)$/.exec(comment) ?? []
    if (tag === '') {
      if (lastTag === 'describe' || lastTag === 'cmd') current.description += `\n${comment.replace(/^ /, '')}`
      continue
    }
    lastTag = tag
    if (tag === 'describe') current.description = text.trim()
    else if (tag === 'cmd') {
      current = { ...emptyDeclaration(), description: text.trim() }
      commands.push(current)
    } else if (tag === 'option' || tag === 'flag') {
      const parameter = tag === 'flag' ? readArgcFlag(text) : readArgcOption(text)
      if (parameter === null) problems.push(`"@${tag} ${text.slice(0, 80)}" could not be read.`)
      else current.parameters.push(parameter)
    } else if (tag === 'env') {
      const variable = readArgcEnvironment(text)
      if (variable !== null) current.environment.push(variable)
    } else if (tag === 'arg')
      problems.push(`"@arg ${text.slice(0, 80)}": a JSON input cannot fill a positional argument.`)
  }
  const declarations = [root, ...commands.filter(({ name }) => name !== '' && !name.startsWith('_'))]
  return { declarations: declarations.map(finished), problems }
}

function finished({ name, description, parameters, environment }: Open): Declaration {
  return {
    name,
    description: description.trim(),
    parameters,
    ...(environment.length > 0 ? { environment } : {}),
  }
}

const underscored = (name: string) => name.replaceAll('-', '_')
