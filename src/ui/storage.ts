/** localStorage that may be closed, full or absent: reading then finds nothing and writing is harmless. */
export const storage = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  /** False when the text was not kept (quota, private mode). */
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
      // Nothing was kept, then.
    }
  },
}
