import { parseJson } from '../../core/json/json.ts'

/** localStorage, which may be blocked, full or absent: then reading returns null and writing does nothing. */
export const storage = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  /** Returns false if the text was not stored (quota, private mode). */
  set(key: string, text: string): boolean {
    try {
      localStorage.setItem(key, text)
      return true
    } catch {
      return false
    }
  },
  remove(key: string): void {
    try {
      localStorage.removeItem(key)
    } catch {
      // Without storage, nothing was stored.
    }
  },
}

/** Returns a list that was stored as JSON, without invalid entries; empty if nothing is stored. */
export function storedList<Entry>(
  key: string,
  isEntry: (value: unknown) => value is Entry,
  from: Pick<typeof storage, 'get'> = storage,
): readonly Entry[] {
  const list = parseJson(from.get(key) ?? '')
  return Array.isArray(list) ? list.filter(isEntry) : []
}

export const isText = (value: unknown): value is string => typeof value === 'string'
