/** A TypeScript file as a program of its own, for tests that kill programs: Node 20 does not read TypeScript. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** @param entry path from this folder. Resolves to the path of the bundle, next to the installed packages. */
export async function bundle(entry: string): Promise<string> {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/toolscope-tests', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${process.pid}-${entry.replaceAll(/[^a-z]/g, '-')}.mjs`)
  const bundled = await rolldown({
    input: fileURLToPath(new URL(entry, import.meta.url)),
    platform: 'node',
    // The program is started again and again: all it imports is in it, but for what is native.
    external: [/^node:/, 'libsql', 'pg'],
    logLevel: 'silent',
  })
  await bundled.write({ file, format: 'esm', codeSplitting: false })
  return file
}

export interface Killed {
  /** Whole lines that it wrote to stdout before it was killed. */
  readonly lines: readonly string[]
  readonly stderr: string
}

/** Starts a program and ends it with SIGKILL, `afterMs` after its first line. */
export function runAndKill(
  file: string,
  environment: NodeJS.ProcessEnv,
  afterMs: number,
  args: readonly string[] = [],
): Promise<Killed> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...environment } })
    let stdout = ''
    let stderr = ''
    let timer: NodeJS.Timeout | undefined
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (stdout.includes('\n')) timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.once('close', () => {
      clearTimeout(timer)
      // The last line may be half a line.
      resolve({ lines: stdout.split('\n').slice(0, -1), stderr })
    })
  })
}
