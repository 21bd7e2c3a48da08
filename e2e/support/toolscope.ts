/** Starts the built program as a user would, and ends it with everything it started. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'

export const project = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export interface Running {
  /** The URL that was printed, token included. */
  readonly url: string
  readonly origin: string
  readonly token: string
  readonly process: ChildProcess
  /** What it wrote to stderr so far. */
  stderr(): string
  stop(): Promise<void>
}

/** `toolscope serve <args> --no-open --port 0`; resolves with its ready line. */
export async function startToolscope(
  args: readonly string[],
  directory = project('.'),
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Running> {
  const main = project('dist/server/main.js')
  const child = spawn(process.execPath, [main, 'serve', '--no-open', '--port', '0', ...args], {
    cwd: directory,
    env: environment,
  })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const url = await new Promise<string>((resolve, reject) => {
    let stdout = ''
    child.stdout.on('data', chunk => {
      stdout += chunk
      const ready = /^toolscope ready: (\S+)$/m.exec(stdout)?.[1]
      if (ready !== undefined) resolve(ready)
    })
    child.once('exit', code =>
      reject(new Error(`toolscope ended with ${code} before it was ready:\n${stderr}`)),
    )
  })
  const { origin, searchParams } = new URL(url)
  return {
    url,
    origin,
    token: searchParams.get('token') ?? '',
    process: child,
    stderr: () => stderr,
    stop: () =>
      new Promise(resolve => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

/** A test with the examples served: one program for all tests of a worker. */
export const test = base.extend<object, { toolscope: Running }>({
  toolscope: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
    async ({}, use) => {
      const running = await startToolscope(['node', '--', project('examples/acme/acme.mjs')])
      await use(running)
      await running.stop()
    },
    { scope: 'worker' },
  ],
})

export { expect }
