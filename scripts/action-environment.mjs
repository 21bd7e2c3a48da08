/**
 * The environment of the programs that the action starts. They are the code of a pull request: they get the variables
 * that are named here and in the input `env`, and no others. Names are compared without regard to case, as on Windows.
 */

const system = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TZ', 'TMPDIR', 'TMP', 'TEMP']
const language = ['LANG', 'LANGUAGE']
const folders = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME']
const windows = [
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'OS', 'PSModulePath'],
  ...['USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA'],
  ...['ProgramData', 'ALLUSERSPROFILE', 'ProgramFiles', 'ProgramFiles(x86)', 'ProgramW6432'],
  ...['CommonProgramFiles', 'CommonProgramFiles(x86)', 'CommonProgramW6432'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
]
const network = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_USE_ENV_PROXY'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
]
const node = ['NODE_ENV', 'NODE_OPTIONS', 'COREPACK_HOME', 'PNPM_HOME', 'BUN_INSTALL', 'DENO_DIR']
/** Not all of `npm_config_…`: npm also reads passwords and tokens from such variables. */
const npm = [
  ...['REGISTRY', 'USERCONFIG', 'GLOBALCONFIG', 'CACHE', 'PREFIX', 'STORE_DIR'],
  ...['CAFILE', 'STRICT_SSL', 'PROXY', 'HTTPS_PROXY', 'NOPROXY', 'FETCH_RETRIES', 'FETCH_TIMEOUT'],
].map(name => `NPM_CONFIG_${name}`)
/** The set-up actions of other languages set these. */
const languages = [
  ...['LD_LIBRARY_PATH', 'pythonLocation', 'VIRTUAL_ENV', 'PIP_CACHE_DIR', 'UV_CACHE_DIR', 'JAVA_HOME'],
  ...['GOROOT', 'GOPATH', 'GOCACHE', 'GOMODCACHE', 'CARGO_HOME', 'RUSTUP_HOME', 'DOTNET_ROOT', 'GEM_HOME'],
]
const runner = ['CI', 'GITHUB_ACTIONS', 'RUNNER_OS', 'RUNNER_ARCH', 'RUNNER_TEMP', 'RUNNER_TOOL_CACHE']
const terminal = ['NO_COLOR', 'FORCE_COLOR']

const usual = new Set(
  [system, language, folders, windows, network, node, npm, languages, runner, terminal]
    .flat()
    .map(name => name.toUpperCase()),
)

/**
 * Returns the variables of `env` that every program gets, and those in `names`.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} names
 * @returns {NodeJS.ProcessEnv}
 */
export function selectEnvironment(env, names) {
  const named = new Set(names.map(name => name.toUpperCase()))
  const isSelected = name =>
    usual.has(name.toUpperCase()) || /^LC_\w+$/i.test(name) || named.has(name.toUpperCase())
  return Object.fromEntries(Object.entries(env).filter(([name]) => isSelected(name)))
}

/**
 * Splits the input `env` into names of variables: between them are spaces, commas or line breaks. Returns undefined if
 * one is not a name, for example `NAME=value`.
 *
 * @param {string} text
 * @returns {string[] | undefined}
 */
export function parseNames(text) {
  const names = text.split(/[\s,]+/).filter(name => name !== '')
  return names.every(name => /^[A-Za-z_][\w().-]*$/.test(name)) ? names : undefined
}
