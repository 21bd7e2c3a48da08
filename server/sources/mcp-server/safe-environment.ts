/** What a server inherits of our environment unless its configuration names more: nothing that is likely a secret. */
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

/** The safe subset; a value that holds a shell function (`() {…`) is left out. */
export function safeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = process.platform === 'win32' ? windows : posix
  const entries = names.flatMap(name => {
    const value = environment[name]
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}
