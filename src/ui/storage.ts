/** localStorage, which may be blocked, full or absent: then reading returns null and writing does nothing. */
export const storage = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  /** False when the text was not stored (quota, private mode). */
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
      // Then nothing was stored.
    }
  },
}
