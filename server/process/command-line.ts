/** Finds the program that the user's words name, without a shell. The label shows every choice that is made. */
import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { basename, extname, isAbsolute, join, resolve } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { maskWords } from '../../core/tool/mask.ts'

/** Interpreters of files that are not marked executable. */
const interpreters: Readonly<Record<string, string>> = {
  '.mjs': process.execPath,
  '.cjs': process.execPath,
  '.js': process.execPath,
  '.py': 'python3',
  '.sh': 'bash',
}

/** File status, or null if the file does not exist or is not accessible, or if no file can have this path. */
export function fileStatus(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/**
 * Returns the words of a command with absolute paths, so that it can be typed in any folder: the first word, and words with a
 * dot or a slash, if `directory` has such a file. Other words may be subcommands.
 */
export function withAbsolutePaths(words: readonly string[], directory: string): readonly string[] {
  return words.map((word, index) => {
    const [, scheme = '', path = '', server = ''] = /^(mcp:|llms:)?(.*?)(#[^#/]*)?$/s.exec(word) ?? []
    const mayBePath = path !== '' && !path.startsWith('-') && (index === 0 || /[./]/.test(path))
    return mayBePath && fileStatus(resolve(directory, path)) !== null
      ? `${scheme}${resolve(directory, path)}${server}`
      : word
  })
}

/**
 * Whether a word of a command line names a file, also if `toolscope.json` has a source of that name: it has an extension,
 * and the file is there. Otherwise a pull request that changes `toolscope.json` could replace the file that a pipeline
 * checks.
 */
export const namesFile = (word: string, directory: string) =>
  /\.\w+$/.test(word) && fileStatus(resolve(directory, word))?.isFile() === true
/** Whether the path is an accessible directory. */
export const isDirectory = (path: string) => fileStatus(path)?.isDirectory() === true

/**
 * Returns the argv that starts the program named by `words`. A path is relative to `directory`; a bare name is a file
 * there or a program on PATH. On Windows, endings of PATHEXT may be missing, and scripts always need their interpreter.
 * Throws AppError `source-not-found` (with the places that were searched) or `source-not-runnable`.
 */
export function resolveProgram(
  words: readonly string[],
  directory: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const [program = '', ...rest] = words
  const isWindows = platform === 'win32'
  const isPath = (isWindows ? /[\\/]/ : /\//).test(program) || isAbsolute(program)
  const written = resolve(directory, program)
  const path = (isWindows && isPath ? findProgramFile(written, environment, platform) : null) ?? written
  const status = fileStatus(path)
  if (status?.isFile()) {
    const interpreter = interpreters[extname(path).toLowerCase()]
    // Windows has no right to execute: every file looks executable there.
    if (isExecutable(path) && !(isWindows && interpreter !== undefined)) return [path, ...rest]
    if (interpreter !== undefined) return [interpreter, path, ...rest]
    if (isPath)
      throw new AppError('source-not-runnable', `${program} is not marked executable (looked at ${path})`)
  }
  if (status?.isDirectory() && isPath)
    throw new AppError('source-not-runnable', `${path} is a directory, not a program`)
  if (isPath) throw new AppError('source-not-found', `${program} (looked at ${path})`)
  const found = findOnPath(program, environment, platform)
  if (found !== null) return [found, ...rest]
  throw new AppError('source-not-found', `${program} (looked for the file ${path} and on PATH)`)
}

/** The full path of a program on PATH, or null. On Windows, its ending may be missing: `npx` is npx.cmd there. */
export function findOnPath(
  program: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const folders = readVariable('PATH', environment, platform) ?? ''
  for (const folder of folders.split(platform === 'win32' ? ';' : ':')) {
    const path = folder === '' ? null : findProgramFile(join(folder, program), environment, platform)
    if (path !== null) return path
  }
  return null
}

/**
 * Returns the executable file of this path, or null. On Windows it is the first with an ending of PATHEXT, unless the path
 * has one: npm puts a shell script `npx` next to npx.cmd, which Windows cannot start.
 */
function findProgramFile(
  path: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string | null {
  const endings = readVariable('PATHEXT', environment, platform) ?? '.COM;.EXE;.BAT;.CMD'
  const isComplete = platform !== 'win32' || extname(path) !== ''
  const paths = isComplete ? [path] : endings.split(';').map(ending => path + ending)
  return paths.find(each => fileStatus(each)?.isFile() && isExecutable(each)) ?? null
}

/** Names of variables differ in case on Windows: PATH is `Path` there. */
function readVariable(
  name: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return environment[name]
  return Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1]
}

/** Programs that need the name of another program or file. */
export const interpreterName = /^(?:node|bun|deno|python\d?(?:\.\d+)?|ruby|perl|bash|sh|npx|bunx|uvx|tsx)$/

/** `dir/m.json` → `m`. */
export function baseName(path: string): string {
  return basename(path).replace(/(?<=.)\.(?:[A-Za-z0-9]{1,5}|toolrec)$/, '') || 'source'
}

/**
 * Joins words as a person would type them; quotes only those that a shell would split or change. A reader of typed lines
 * (recognise/typed-line.ts, string-argv) knows no escapes, so there are none: `"it's"`, or `'"a" '"'"'b'`.
 */
export const quoteWords = (words: readonly string[]): string => words.map(quoteWord).join(' ')

function quoteWord(word: string): string {
  if (/^[\w@%+=:,./•-][\w@%+=:,./•#-]*$/.test(word)) return word
  return word.includes("'") && !/["$`\\!]/.test(word) ? `"${word}"` : `'${word.replaceAll("'", `'"'"'`)}'`
}

/** A command as shown to the user, its secrets masked. */
export const formatCommand = (words: readonly string[]) => quoteWords(maskWords(words).visible)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
