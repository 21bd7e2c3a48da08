/** `.env` at the root of a tree: `NAME=value` lines. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `#` begins a comment line; `export ` before a name and one pair of quotes around a value are dropped. Lines that
 * are no assignment, and names that no variable can have, are passed over.
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

/** The environment of the tree's programs: its `.env` under what is set already, which is never overridden. */
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
