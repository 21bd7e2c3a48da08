/** What people should know although they did not ask: said on the terminal, and on every page that is open. */
export interface Notices {
  say(text: string): void
  /** Calls `listener` for every notice, until the returned function is called. */
  onNotice(listener: (text: string) => void): () => void
}

export function createNotices(sayHere: (line: string) => void): Notices {
  const listeners = new Set<(text: string) => void>()
  return {
    say(text) {
      sayHere(text)
      for (const listener of listeners) listener(text)
    },
    onNotice(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
