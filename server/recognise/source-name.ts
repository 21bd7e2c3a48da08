/** The name that is proposed for a program: its own one, or that of its package or folder if its own one says nothing. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { toAddressable } from '../../core/api/source-entry.ts'
import { isObject, own, parseJson } from '../../core/json/json.ts'
import { baseName, fileStatus } from '../process/command-line.ts'
import type { Session } from '../sources/source.ts'

/** Names that many programs share. */
const generic =
  /^(?:index|dist|main|server|cli|app|mcp|src|bin|lib|out|build|esm|cjs|run|start|mod|program|source|__main__)$/i

/** Returns whether a name says nothing about the program or server that has it. */
export const isGeneric = (name: string) => generic.test(name)

const interpreters = /^(?:node|bun|deno|python\d?(?:\.\d+)?|ruby|perl|bash|sh|tsx|ts-node)$/
const launchers = /^(?:npx|bunx|uvx|pipx|uv|npm|pnpm|yarn|docker|podman|dnx)$/
/** Words of a launcher before the name of what it starts. */
const verbs = /^(?:run|exec|dlx|tool|x)$/

/** Options whose value is the next word, by the program that they belong to. */
const valued: readonly (readonly [program: RegExp, options: RegExp])[] = [
  [/^(?:node|bun|tsx)$/, /^(?:-r|-C|--(?:require|import|loader|env-file|conditions))$/],
  [/^python/, /^(?:-W|-X)$/],
  [/^(?:npx|bunx|npm|pnpm|yarn)$/, /^(?:-p|--package|--registry|--prefix|-C|--dir)$/],
  [/^(?:uvx?|pipx)$/, /^(?:-p|--(?:from|with|python|directory|project|spec|index-url))$/],
  [
    /^(?:docker|podman)$/,
    /^(?:-[evpuwlh]|--(?:env|env-file|volume|mount|name|network|publish|user|workdir))$/,
  ],
]

/**
 * Proposes a name for the program that a command starts: `npx -y @acme/files@2.1.0` → `files`,
 * `node shop/dist/index.js` → the name in `shop/package.json`, else `shop`. It reads files and starts nothing.
 *
 * @param words the command, without secrets
 * @param directory that relative paths start from, absolute
 */
export function proposeProgramName(words: readonly string[], directory: string): string {
  const word = findStarted(words)
  const isPath = fileStatus(resolve(directory, word))?.isFile() === true
  if (isPath) return proposePathName(resolve(directory, word))
  const name = baseName(word).replace(/(?<=.)(?:@|==|:)[^/]*$/, '')
  return isGeneric(name) ? (nameOfFolder(directory) ?? name) : name
}

/** Proposes a name for a file or a folder, as for a program. @param path absolute */
export function proposePathName(path: string): string {
  const name = baseName(path)
  return isGeneric(name) ? (nameOfFolder(dirname(path)) ?? name) : name
}

/** Returns the word that names what a command starts: the script of an interpreter, the package of a launcher. */
export function findStarted(words: readonly string[]): string {
  const [first = '', ...rest] = words
  const program = baseName(first)
  const isLauncher = launchers.test(program)
  if (!isLauncher && !interpreters.test(program)) return first
  const [, options] = valued.find(([of]) => of.test(program)) ?? []
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? ''
    if (options?.test(word)) at += 1
    else if (!word.startsWith('-') && !(isLauncher && verbs.test(word)))
      return program === 'uv' && interpreters.test(baseName(word)) ? findStarted(rest.slice(at)) : word
  }
  return first
}

/** Returns the name of the package that contains a folder, else of the nearest folder with a name of its own. */
function nameOfFolder(folder: string): string | undefined {
  let nearest: string | undefined
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const name = packageName(at)
    if (name !== undefined && !isGeneric(name)) return name
    if (nearest === undefined && !isGeneric(basename(at))) nearest = basename(at)
    if (name !== undefined) return nearest
  }
  return nearest
}

const maxPackageBytes = 2 ** 20

/** Returns the name in a folder's package.json, without its scope; undefined if that cannot be read. */
function packageName(folder: string): string | undefined {
  const path = join(folder, 'package.json')
  const status = fileStatus(path)
  if (!status?.isFile() || status.size > maxPackageBytes) return undefined
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  const parsed = parseJson(text)
  const name = isObject(parsed) ? own(parsed, 'name') : undefined
  return typeof name === 'string' && name !== '' ? (name.split('/').at(-1) ?? name) : undefined
}

/** Returns what an open server calls itself, as the name of its source; undefined if that says nothing. */
export function nameOfServer(session: Session | null | undefined): string | undefined {
  const written = session?.about?.().serverInfo?.name.split('/').at(-1)?.trim().slice(0, 60) ?? ''
  const name = toAddressable(written.replace(/[/,~\s]+/g, '-'))
  return name === '' || isGeneric(name) ? undefined : name
}

/** Returns a name without characters that have a meaning in references and addresses; `source` if nothing is left. */
export const toSourceName = (wanted: string) => toAddressable(wanted.replace(/[/,~\s]+/g, '-')) || 'source'
