/** Programs with the same two sources, and requests to them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../../scripts/toolscope-program.ts'
import { resolveInRepository } from '../sources/testkit.ts'

export interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly bearer?: string | undefined
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

export async function sendTo(
  origin: string,
  path: string,
  { method, body, headers, bearer }: Sent,
): Promise<Answer> {
  const answer = await fetch(`${origin}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

/** Writes a toolscope.json and an mcp.json with the MCP servers `acme` and `vault`. */
export function writeSources(folder: string): void {
  const script = resolveInRepository('server/sources/fixtures/mcp-quirks-old.mjs')
  const source = { mcp: { command: [process.execPath, script] } }
  const entry = { command: process.execPath, args: [script] }
  const files = {
    'toolscope.json': { sources: { acme: source, vault: source } },
    'mcp.json': { mcpServers: { acme: entry, vault: entry } },
  }
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content))
}

const children: ChildProcess[] = []

/** Starts a command of the program; resolves with the address of its ready line. `stopPrograms` ends it. */
export function startProgram(
  directory: string,
  environment: NodeJS.ProcessEnv,
  ...args: readonly string[]
): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`${args[0]} ended with ${code}`)))
    child.stdout.on('data', chunk => {
      const found = /ready: (\S+)/.exec(String(chunk))?.[1]
      if (found !== undefined) resolve(found)
    })
  })
}

export async function stopPrograms(): Promise<void> {
  await Promise.all(
    children.splice(0).map(async child => {
      if (child.exitCode !== null) return
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    }),
  )
}
