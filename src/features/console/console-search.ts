/** What the console's address holds: the name of the saved script that is open. */
export interface ConsoleSearch {
  readonly script?: string
}

/** Reads search parameters of any shape. */
export function parseConsoleSearch(search: Record<string, unknown>): ConsoleSearch {
  const { script } = search
  return typeof script === 'string' && script !== '' ? { script } : {}
}
