/** From what a user typed to the program that is meant: no shell, no guess that the user cannot see in the label. */
import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { basename, delimiter, extname, isAbsolute, join, resolve } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { maskWords } from '../../core/tool/mask-words.ts'

/** Interpreters of files that are not marked executable. */
const interpreters: Readonly<Record<string, string>> = {
  '.mjs': process.execPath,
  '.cjs': process.execPath,
  '.js': process.execPath,
  '.py': 'python3',
  '.sh': 'bash',
}

/** File status, or null when there is no such file (or none that we may see). */
export function fileStatus(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null
}

/** Whether a directory is there that we may see. */
export const isDirectory = (path: string) => safeStatus(path)?.isDirectory() === true

/**
 * The argv that starts the program named by `words`.
 * A path is taken from `directory`; a bare name is a file there or a program on PATH.
 * Throws AppError `source-not-found` (says where it looked) or `source-not-runnable`.
 */
export function resolveProgram(
  words: readonly string[],
  directory: string,
  environment: NodeJS.ProcessEnv,
): string[] {
  const [program = '', ...rest] = words
  const path = resolve(directory, program)
  const status = safeStatus(path)
  const isPath = program.includes('/') || isAbsolute(program)
  if (status?.isFile()) {
    const interpreter = interpreters[extname(path).toLowerCase()]
    if (isExecutable(path)) return [path, ...rest]
    if (interpreter !== undefined) return [interpreter, path, ...rest]
    if (isPath)
      throw new AppError('source-not-runnable', `${program} is not marked executable (looked at ${path})`)
  }
  if (status?.isDirectory() && isPath)
    throw new AppError('source-not-runnable', `${path} is a directory, not a program`)
  if (isPath) throw new AppError('source-not-found', `${program} (looked at ${path})`)
  const found = findOnPath(program, environment)
  if (found !== null) return [found, ...rest]
  throw new AppError('source-not-found', `${program} (looked for the file ${path} and on PATH)`)
}

/** The full path of a program on PATH, or null. */
export function findOnPath(program: string, environment: NodeJS.ProcessEnv): string | null {
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    const path = join(folder, program)
    if (safeStatus(path)?.isFile() && isExecutable(path)) return path
  }
  return null
}

/** A short name for a program: `node examples/acme/acme.mjs` → `acme`. */
export function programName(words: readonly string[]): string {
  const [first = '', ...rest] = words
  const plain = baseName(first)
  const script = rest.find(word => !word.startsWith('-'))
  if (/^(node|bun|deno|python\d?(\.\d+)?|ruby|perl|bash|sh|npx|bunx|uvx|tsx)$/.test(plain) && script)
    return baseName(script)
  return plain
}

/** `dir/m.json` → `m`. */
export function baseName(path: string): string {
  return basename(path).replace(/(?<=.)\.[A-Za-z0-9]{1,5}$/, '') || 'source'
}

/** Words as a person would type them; quotes only where a shell would need them. */
export function quoteWords(words: readonly string[]): string {
  return words
    .map(word =>
      /^[\w@%+=:,./•-][\w@%+=:,./•#-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`,
    )
    .join(' ')
}

/** A command for people, its secrets masked. */
export const shownCommand = (words: readonly string[]) => quoteWords(maskWords(words).shown)

function safeStatus(path: string): Stats | null {
  try {
    return fileStatus(path)
  } catch {
    return null
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
