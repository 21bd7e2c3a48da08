import { homedir } from 'node:os'
import { basename, sep } from 'node:path'
import type { Inputs } from '../sources/inputs.ts'

/**
 * Variables in a server's configuration. Understood are `${env:NAME}` (VS Code, Cursor and our own files),
 * `${NAME}` and `${NAME:-otherwise}` (Claude's), `${workspaceFolder}`, which is the file's own directory, and of VS Code
 * and Cursor `${workspaceFolderBasename}`, `${userHome}`, `${pathSeparator}`, `${/}` and `${input:ID}`.
 */
const variable = /\$\{([^{}]*)\}/g

export interface Interpolation {
  readonly environment: NodeJS.ProcessEnv
  readonly directory: string
  readonly inputs?: Inputs | undefined
  /** Told the text of each variable that has no value; it stays in place as it was written. */
  readonly unresolved: (written: string) => void
}

export function interpolate(text: string, interpolation: Interpolation): string {
  return text.replace(variable, (written, inside: string) => {
    const value = valueOfVariable(inside, interpolation)
    if (value === undefined) interpolation.unresolved(written)
    return value ?? written
  })
}

function valueOfVariable(
  inside: string,
  { environment, directory, inputs }: Interpolation,
): string | undefined {
  switch (inside) {
    case 'workspaceFolder':
      return directory
    case 'workspaceFolderBasename':
      return basename(directory)
    case 'userHome':
      return homedir()
    case 'pathSeparator':
    case '/':
      return sep
  }
  if (inside.startsWith('input:')) return inputs?.values.get(inside.slice('input:'.length))
  const [, name = '', otherwise] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/.exec(inside) ?? []
  return environment[name] || otherwise
}

/** The values of a record, interpolated. A record without a prototype: its keys are a file's text. */
export function interpolateAll(
  record: Readonly<Record<string, string>>,
  interpolation: Interpolation,
): Record<string, string> {
  const result: Record<string, string> = Object.create(null)
  for (const [key, value] of Object.entries(record)) result[key] = interpolate(value, interpolation)
  return result
}
