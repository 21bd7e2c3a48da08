/** What the console's address holds: the name of the saved script that is open. */
export interface ConsolePlace {
  readonly script?: string
}

/** Reads search parameters of any shape. */
export function parseConsolePlace(search: Record<string, unknown>): ConsolePlace {
  const { script } = search
  return typeof script === 'string' && script !== '' ? { script } : {}
}
