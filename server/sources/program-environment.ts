/** The environment of the programs that sources start: one policy for all kinds (docs/security.md). */
import { AppError } from '../../core/errors.ts'
import type { SourceSettings } from './source.ts'

/** Variables that most programs need and that hold no secret; MCP clients pass on the same ones. */
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
 * Returns the environment of a source's program: inherited variables, and those of its settings.
 *
 * - Toolscope's own variables (`TOOLSCOPE_…`) are never inherited: they hold the token and the database password.
 * - If the settings list names (`inherit`), these and the safe ones; `AWS_*` matches every name with this prefix.
 * - Otherwise `usual` decides: everything, or only the safe ones, as for MCP servers.
 *
 * Safe variables whose value is a shell function (`() {…`) are left out. On Windows, names differ from the lists in case
 * only (`Path`, `SystemRoot`), and mean the same variable.
 */
export function programEnvironment(
  inherited: NodeJS.ProcessEnv,
  { inherit, environment }: Pick<SourceSettings, 'inherit' | 'environment'>,
  usual: 'everything' | 'safe',
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  const isWindows = platform === 'win32'
  const safe = isWindows ? windows : posix
  const toKey = (name: string) => (isWindows ? name.toUpperCase() : name)
  const listed = inherit?.map(toKey)
  const isListed = (name: string) =>
    listed?.some(each => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each)) === true
  const passes = (written: string, value: string | undefined) => {
    const name = toKey(written)
    if (isOwnVariable(name)) return false
    if (isListed(name) || (inherit === undefined && usual === 'everything')) return true
    return safe.includes(name) && value?.startsWith('()') !== true
  }
  const passed = Object.entries(inherited).filter(
    ([name, value]) => value !== undefined && passes(name, value),
  )
  return { ...Object.fromEntries(passed), ...environment }
}

/** Returns whether a variable configures Toolscope itself. */
export function isOwnVariable(name: string): boolean {
  return /^TOOLSCOPE_/i.test(name)
}

/**
 * Returns the settings with `${env:NAME}` replaced by the variables' values. Throws AppError `source-failed` if a
 * variable has no value: a program must not receive the placeholder as the value.
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
