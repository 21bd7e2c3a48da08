/** Reads `.env` at the root of a tree: `NAME=value` lines. */
import { readFileSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { basename, join } from 'node:path'
import { type AgentEnvironment, type AgentVariable, variableEnvironmentName } from '../../core/tool/agent.ts'
import { isSecretName } from '../../core/tool/is-secret.ts'

/**
 * `#` begins a comment line; `export ` before a name and one pair of quotes around a value are removed. Lines that are
 * not an assignment, and names that a variable cannot have, are skipped.
 */
export function parseDotenv(text: string): Record<string, string> {
  const entries = text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(line)
    if (match === null) return []
    const [, name = '', rest = ''] = match
    const value = rest.trim()
    return [[name, /^(["'])(.*)\1$/.exec(value)?.[2] ?? value]]
  })
  return Object.fromEntries(entries)
}

/** Returns the environment of the tree's programs: existing variables take precedence over `.env`. */
export function withDotenv(root: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  let text: string
  try {
    text = readFileSync(join(root, '.env'), 'utf8')
  } catch {
    return environment
  }
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
  return { ...parseDotenv(text), ...set }
}

/**
 * Returns the variables with values of the environment as their defaults. Values of secrets are left out; programs
 * inherit them.
 */
export function withEnvironmentValues(
  variables: readonly AgentVariable[],
  environment: NodeJS.ProcessEnv,
): readonly AgentVariable[] {
  return variables.map(variable => {
    const value = environment[variableEnvironmentName(variable.name) ?? '']
    if (value === undefined) return variable
    const { default: _replaced, ...rest } = variable
    return { ...rest, inEnvironment: true, ...(isSecretName(variable.name) ? {} : { default: value }) }
  })
}

const systems: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' }
const architectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64', ia32: 'x86' }

/**
 * Returns all built-in variables except `__tools__`, which depends on the agent.
 *
 * @param directory in which the agent's tools run
 */
export function agentEnvironment(environment: NodeJS.ProcessEnv, directory: string): AgentEnvironment {
  const system = platform()
  return {
    __os__: systems[system] ?? system,
    __os_family__: system === 'win32' ? 'windows' : 'unix',
    __arch__: architectures[arch()] ?? arch(),
    __shell__: basename(environment.SHELL ?? (system === 'win32' ? 'powershell' : 'sh')),
    __locale__: locale(environment),
    __now__: new Date().toISOString(),
    __cwd__: directory,
  }
}

function locale(environment: NodeJS.ProcessEnv): string {
  const set = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || ''
  const plain = set.split('.')[0]?.replace('_', '-') ?? ''
  return /^[A-Za-z]{2,3}(-\w+)*$/.test(plain) ? plain : Intl.DateTimeFormat().resolvedOptions().locale
}
