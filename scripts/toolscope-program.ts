/** Runs the built program, for the tests of server/ and e2e/. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { project } from './project.mjs'

/** The program of `npm run build`. */
export const program = project('dist/server/main.js')

/** The example program. */
export const acme = project('examples/acme/acme.mjs')

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly directory?: string
  /** Added to the environment of the test. */
  readonly environment?: NodeJS.ProcessEnv
  /** The text of stdin. */
  readonly input?: string
}

/** Runs `toolscope <args>` without colours and resolves when it has ended, with any exit code. */
export function runToolscope(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: options.directory ?? project(),
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
    // A program that ends before it has read its input must not fail the test.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
  })
}

export interface Running {
  readonly origin: string
  readonly token: string
  readonly process: ChildProcess
  /** Returns the address of a path of the page, with the token, so that no page has to be loaded before. */
  urlOf(path: string): string
  /** Sends a request with the token: a POST of JSON if there is a body, or another method. */
  request(path: string, body?: unknown, method?: string): Promise<Response>
  /** Returns the stderr output so far. */
  stderr(): string
  stop(): Promise<void>
}

/**
 * Runs `toolscope serve <args> --no-open --port 0`; resolves with its ready line. It has a data directory of its own
 * unless `environment` names one, so that it lists no sources of other runs.
 */
export async function startToolscope(
  args: readonly string[],
  directory = project(),
  environment: NodeJS.ProcessEnv = {},
): Promise<Running> {
  const ownData =
    environment.TOOLSCOPE_DATA_DIR === undefined ? mkdtempSync(join(tmpdir(), 'toolscope-data-')) : undefined
  const port = args.includes('--port') ? [] : ['--port', '0']
  const child = spawn(process.execPath, [program, 'serve', '--no-open', ...port, ...args], {
    cwd: directory,
    env: { ...process.env, ...(ownData && { TOOLSCOPE_DATA_DIR: ownData }), ...environment },
  })
  child.once('exit', () => ownData && rmSync(ownData, { recursive: true, force: true }))
  let stderr = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', chunk => {
      stderr += chunk
      // With --log-json.
      const ready = /"event":"start".*"url":"([^"]+)"/.exec(stderr)?.[1]
      if (ready !== undefined) resolve(ready)
    })
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
  // A shared server does not print its token.
  const token = searchParams.get('token') ?? environment.TOOLSCOPE_TOKEN ?? ''
  return {
    origin,
    token,
    process: child,
    urlOf: path => `${origin}${path}${path.includes('?') ? '&' : '?'}token=${token}`,
    request: (path, body, method = 'POST') =>
      fetch(`${origin}${path}`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
      }),
    stderr: () => stderr,
    stop: () =>
      new Promise(resolve => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}
