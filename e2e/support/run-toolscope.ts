/** The command line of the built program. */
import { spawn } from 'node:child_process'
import { program, project } from './toolscope.ts'

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly directory?: string
  /** Added to that of the test. */
  readonly environment?: NodeJS.ProcessEnv
  /** What it reads from stdin. */
  readonly input?: string
}

/** Runs `toolscope <args>` without colours and resolves when it has ended, whatever its exit code. */
export function runToolscope(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: options.directory ?? project('.'),
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...options.environment },
    })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout, stderr }))
    // A program that ends before it has read its input is no error of the test.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
  })
}
