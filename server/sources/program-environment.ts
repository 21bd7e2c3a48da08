/** The environment of the programs that sources start: one policy for all kinds (docs/security.md). */
import { AppError } from '../../core/errors.ts'
import type { SourceSettings } from './source.ts'

/** Variables that most programs need and that hold no secret: what MCP clients pass on. */
const posix = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']
const windows = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
]

/**
 * What a source's program gets of our environment, and what its settings add.
 *
 * - Our own variables (`TOOLSCOPE_…`) never: they hold the token and the password of the database.
 * - Where the settings list names (`inherit`), these and the safe ones; `AWS_*` is every name that begins so.
 * - Else what `usual` says: everything, or the safe ones alone, as for MCP servers.
 *
 * Values that hold a shell function (`() {…`) are left out of the safe ones.
 */
export function programEnvironment(
  inherited: NodeJS.ProcessEnv,
  { inherit, environment }: Pick<SourceSettings, 'inherit' | 'environment'>,
  usual: 'everything' | 'safe',
): NodeJS.ProcessEnv {
  const safe = process.platform === 'win32' ? windows : posix
  const isListed = (name: string) =>
    inherit?.some(each => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each)) === true
  const passes = (name: string, value: string | undefined) => {
    if (isOwnVariable(name)) return false
    if (isListed(name) || (inherit === undefined && usual === 'everything')) return true
    return safe.includes(name) && value?.startsWith('()') !== true
  }
  const kept = Object.entries(inherited).filter(([name, value]) => value !== undefined && passes(name, value))
  return { ...Object.fromEntries(kept), ...environment }
}

/** Is it a variable that configures Toolscope itself? */
export function isOwnVariable(name: string): boolean {
  return /^TOOLSCOPE_/i.test(name)
}

/**
 * Settings whose variables have the values that `${env:NAME}` stands for. Throws AppError `source-failed` where one of
 * them has none: a program must not take the text for the value.
 */
export function fillEnvironment(settings: SourceSettings, variables: NodeJS.ProcessEnv): SourceSettings {
  if (settings.environment === undefined) return settings
  const fill = (text: string) =>
    text.replace(/\$\{env:([A-Za-z_]\w*)\}/g, (written, name: string) => {
      const value = variables[name]
      if (value === undefined || isOwnVariable(name))
        throw new AppError('source-failed', `${written} has no value`, {
          hint: `Set ${name} in the environment that Toolscope is started from, or give another value.`,
        })
      return value
    })
  const filled = Object.entries(settings.environment).map(([name, text]) => [name, fill(text)] as const)
  return { ...settings, environment: Object.fromEntries(filled) }
}
