/** The paths and languages of files in an llm-functions tree. */
import { closeSync, constants, openSync, readdirSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileStatus } from '../process/command-line.ts'

export type ToolLanguage = 'javascript' | 'python' | 'bash' | 'unknown'

/** The languages of the build, in the order in which it looks for an agent's tools. */
export const languages: Readonly<Record<string, Exclude<ToolLanguage, 'unknown'>>> = {
  '.sh': 'bash',
  '.js': 'javascript',
  '.py': 'python',
}

const maxFileBytes = 64 * 1024 * 1024

/** Returns a file's text; null if it does not exist. Throws an Error if it exists but cannot be read. */
export function readTreeFile(path: string): string | null {
  const status = fileStatus(path)
  if (status === null) return null
  if (!status.isFile()) throw new Error('it is not a file')
  if (status.size > maxFileBytes) throw new Error('it is larger than 64 MiB')
  return readFileSync(path, 'utf8')
}

/** Returns the sorted names in a folder; empty if there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Returns whether a name denotes a file directly in a folder and cannot lead elsewhere. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)
}

/** Returns the lines of tools.txt or agents.txt without comments; null if there is no such file. */
export function readListFile(path: string): string[] | null {
  const text = readTreeFile(path)
  if (text === null) return null
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#') && isPlainName(line))
}

/** Returns the source of a tool or of an agent's tools (`base` is `tools/<name>` or `agents/<name>/tools`). */
export function findToolFile(root: string, base: string): { path: string; language: ToolLanguage } | null {
  for (const [extension, language] of Object.entries(languages)) {
    const path = `${base}${extension}`
    if (fileStatus(join(root, path))?.isFile()) return { path, language }
  }
  return null
}

/**
 * Returns the language behind `bin/<name>`: by its first line, else by the runner that it links to (`run-tool.py`). A
 * shell script that starts another language counts as Bash, because its handling of the input is unknown.
 */
export function binLanguage(path: string): ToolLanguage {
  let target: string
  let head: string
  try {
    target = realpathSync(path)
    head = readHead(target, 256).split('\n')[0]?.trim() ?? ''
  } catch {
    return 'unknown'
  }
  const shebang = /^#!\s*(\S+)(?:\s+(.*))?$/.exec(head)
  if (shebang !== null) {
    const program = basename(shebang[1] ?? '')
    const words = (program === 'env' ? (shebang[2] ?? '') : program).split(/\s+/)
    const interpreter = words.find(word => !word.startsWith('-') && !word.includes('=')) ?? ''
    if (/^(node|bun|deno)$/.test(interpreter)) return 'javascript'
    if (/^python[\d.]*$/.test(interpreter)) return 'python'
    return /^(ba|z|k|da)?sh$/.test(interpreter) ? 'bash' : 'unknown'
  }
  return languages[extname(target)] ?? 'unknown'
}

/** Returns the first bytes of a file as text. Throws an Error if it cannot be read. */
export function readHead(path: string, bytes: number): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const buffer = Buffer.alloc(bytes)
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, bytes, 0))
  } finally {
    closeSync(file)
  }
}
