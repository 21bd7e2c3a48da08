/**
 * Variables in a server's configuration. Understood are `${env:NAME}` (VS Code, Cursor and our own files),
 * `${NAME}` and `${NAME:-otherwise}` (Claude's), and `${workspaceFolder}`, which is the file's own directory.
 */
const variable = /\$\{([^{}]*)\}/g

export interface Interpolation {
  readonly environment: NodeJS.ProcessEnv
  readonly directory: string
  /** Told the text of each variable that has no value; it stays in place as it was written. */
  readonly unresolved: (written: string) => void
}

export function interpolate(text: string, { environment, directory, unresolved }: Interpolation): string {
  return text.replace(variable, (written, inside: string) => {
    if (inside === 'workspaceFolder') return directory
    const parts = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/.exec(inside)
    const value = parts?.[1] === undefined ? undefined : environment[parts[1]] || undefined
    if (value !== undefined) return value
    if (parts?.[2] !== undefined) return parts[2]
    unresolved(written)
    return written
  })
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
