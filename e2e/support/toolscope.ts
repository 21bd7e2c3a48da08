/** Starts the built program as a user would, and ends it with everything it started. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'

export const project = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export const acme = project('examples/acme/acme.mjs')

/** The program of `npm run build`. */
export const program = project('dist/server/main.js')

/** A published MCP server of the development dependencies. */
export const publishedServer = (name: string) =>
  project(`node_modules/@modelcontextprotocol/${name}/dist/index.js`)

export interface Running {
  readonly origin: string
  readonly token: string
  readonly process: ChildProcess
  /** The address of a path of the page, with the token: no page has to be loaded before it. */
  urlOf(path: string): string
  /** A request with the token; a POST of JSON where there is a body. */
  request(path: string, body?: unknown): Promise<Response>
  /** What it wrote to stderr so far. */
  stderr(): string
  stop(): Promise<void>
}

/** `toolscope serve <args> --no-open --port 0`; resolves with its ready line. */
export async function startToolscope(
  args: readonly string[],
  directory = project('.'),
  environment: NodeJS.ProcessEnv = {},
): Promise<Running> {
  const child = spawn(process.execPath, [program, 'serve', '--no-open', '--port', '0', ...args], {
    cwd: directory,
    env: { ...process.env, ...environment },
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
  const token = searchParams.get('token') ?? ''
  return {
    origin,
    token,
    process: child,
    urlOf: path => `${origin}${path}${path.includes('?') ? '&' : '?'}token=${token}`,
    request: (path, body) =>
      fetch(`${origin}${path}`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
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

const makeFolder = () => mkdtempSync(join(tmpdir(), 'toolscope-e2e-'))

/**
 * A test with `toolscope`, which serves the example program to all tests of a worker, and `folder`, an empty
 * temporary folder of each test.
 */
export const test = base.extend<{ folder: string }, { toolscope: Running }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
  folder: async ({}, use) => {
    const folder = makeFolder()
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  toolscope: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
    async ({}, use) => {
      const running = await startToolscope(['node', '--', acme])
      await use(running)
      await running.stop()
    },
    { scope: 'worker' },
  ],
})

/** A test with `served`: what `start` made of an empty folder, once for all tests of a worker. */
export function testServed<Served extends Pick<Running, 'stop'>>(start: (folder: string) => Promise<Served>) {
  return test.extend<object, { served: Served & { readonly serverFolder: string } }>({
    served: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
      async ({}, use) => {
        const serverFolder = makeFolder()
        const served = await start(serverFolder)
        await use({ ...served, serverFolder })
        await served.stop()
        rmSync(serverFolder, { recursive: true, force: true })
      },
      { scope: 'worker' },
    ],
  })
}

export { expect }
