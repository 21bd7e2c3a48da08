import type { LoadPart } from './load-part.ts'

/** Parts that are kept in memory; a site may have a hundred thousand tools. */
const most = 20

/** Loads numbered parts, each once while it is among the last ones asked for. */
export function keptParts<Part>(
  load: LoadPart,
  nameOf: (number: number) => string,
): (number: number) => Promise<Part> {
  const kept = new Map<number, Promise<Part>>()
  return number => {
    const known = kept.get(number)
    if (known) return known
    const loading = load<Part>(nameOf(number))
    kept.set(number, loading)
    // What failed once may be there the next time.
    loading.catch(() => kept.delete(number))
    const [oldest] = kept.keys()
    if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    return loading
  }
}
