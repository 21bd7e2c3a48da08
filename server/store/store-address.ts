/** A database URL as it may be shown: `postgres://ada@db.example:5432/tools`, the password and the options left out. */
export function withoutPassword(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url)
    return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`
  } catch {
    return 'the database URL (it is no URL)'
  }
}
