/** Starts `toolscope mcp` for the tests of its clients. */
import { type ChildProcess, spawn } from 'node:child_process'
import { resolveInRepository } from '../sources/testkit.ts'

const program = resolveInRepository('dist/server/main.js')

export const info = { name: 'test', version: '1' }

/** Returns a source: a program of this repository, with arguments. */
export const sourceOf = (path: string, ...words: string[]) =>
  ['mcp:', process.execPath, resolveInRepository(path), ...words].join(' ').replace('mcp: ', 'mcp:')

export const everything = sourceOf(
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
  'stdio',
)

export const commandOf = (sources: readonly string[]) => ({
  command: process.execPath,
  args: [program, 'mcp', ...sources],
  stderr: 'ignore' as const,
})

const children: ChildProcess[] = []

/** Starts a server at an address. `closeServers` ends it. */
export function serveHttp(sources: readonly string[]): Promise<URL> {
  const child = spawn(process.execPath, [program, 'mcp', '--http', '--without-token', ...sources], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(child)
  return new Promise<URL>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`it ended with ${code}`)))
    child.stdout.on('data', chunk => {
      const found = /ready: (\S+)/.exec(String(chunk))?.[1]
      if (found !== undefined) resolve(new URL(found))
    })
  })
}

/** Ends the servers that `serveHttp` started. */
export function closeServers(): void {
  for (const child of children.splice(0)) child.kill('SIGTERM')
}
