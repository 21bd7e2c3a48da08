/** The values of the built-in variables here and now, in AIChat's words. */
import { arch, platform } from 'node:os'
import { basename } from 'node:path'
import type { AgentEnvironment } from '../../../core/agent/agent.ts'

const systems: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' }
const architectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64', ia32: 'x86' }

/** Everything but `__tools__`, which depends on the agent. `__cwd__` is where toolscope was started. */
export function agentEnvironment(environment: NodeJS.ProcessEnv): AgentEnvironment {
  const system = platform()
  return {
    __os__: systems[system] ?? system,
    __os_family__: system === 'win32' ? 'windows' : 'unix',
    __arch__: architectures[arch()] ?? arch(),
    __shell__: basename(environment.SHELL ?? (system === 'win32' ? 'powershell' : 'sh')),
    __locale__: locale(environment),
    __now__: new Date().toISOString(),
    __cwd__: process.cwd(),
  }
}

function locale(environment: NodeJS.ProcessEnv): string {
  const set = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || ''
  const plain = set.split('.')[0]?.replace('_', '-') ?? ''
  return /^[A-Za-z]{2,3}(-\w+)*$/.test(plain) ? plain : Intl.DateTimeFormat().resolvedOptions().locale
}
