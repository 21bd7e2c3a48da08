/** The location of the store (the user's data directory, or a database's address) and of compiled code. */
import { homedir } from 'node:os'
import { join } from 'node:path'

/** `TOOLSCOPE_DATA_DIR`, else the platform's folder for user data. Absolute; not created here. */
export function dataDirectory(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string {
  const { TOOLSCOPE_DATA_DIR, XDG_DATA_HOME, LOCALAPPDATA, HOME } = environment
  if (TOOLSCOPE_DATA_DIR) return TOOLSCOPE_DATA_DIR
  const home = HOME || homedir()
  if (platform === 'win32') return join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'toolscope')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'toolscope')
  return join(XDG_DATA_HOME || join(home, '.local', 'share'), 'toolscope')
}

/** The platform's folder for caches. Absolute; not created here. */
export function cacheDirectory(
  { XDG_CACHE_HOME, LOCALAPPDATA, HOME }: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = HOME || homedir()
  if (platform === 'win32') return join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'toolscope', 'cache')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'toolscope')
  return join(XDG_CACHE_HOME || join(home, '.cache'), 'toolscope')
}

/** A database URL for display: `postgres://ada@db.example:5432/tools`, without the password and the options. */
export function withoutPassword(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url)
    return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`
  } catch {
    return 'the database URL (it is no URL)'
  }
}
