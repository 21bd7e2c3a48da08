/**
 * `toolscope complete`, which the scripts of completion.ts call: what may replace the last word of a line. It starts no
 * program: tools are those of the last known lists in the store.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isObject } from '../../core/json/json.ts'
import { terminalLine } from '../../core/text/terminal-text.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import { dataDirectory } from '../store/location.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import type { Command, CommandContext } from './command.ts'
import { listChoices, listOptions, type TypedOption } from './command-flags.ts'
import { commandNames, loadCommands } from './index.ts'

/** Milliseconds until a database server counts as out of reach; then the tools that were read by then are returned. */
const maxWaitMs = 2_000

/** Commands and options with which a positional may be a source of the store. */
const takesVersions = ['diff', 'changelog', 'compare', '--snapshots', '--export']

/** A replacement of the last word. */
interface Candidate {
  readonly value: string
  readonly about: string
}

/** The folder in which the line is typed, and the variables that name the data directory or the database. */
type CompletionContext = Pick<CommandContext, 'directory' | 'environment'>

/**
 * Returns one candidate per line: its value, a tab and what it is. After `bash`, returns what bash inserts instead, with its
 * quotes. Names with control characters are left out.
 *
 * @param argv `-- WORDS…`: the words after `toolscope`, the last one unfinished; or `bash -- LINE BREAKS`: the line up to the
 * cursor, and the characters at which bash ends a word
 */
export async function complete(argv: readonly string[], context: CompletionContext): Promise<string> {
  const given = argv.slice(argv.indexOf('--') + 1)
  const line = argv[0] === 'bash' ? splitBashLine(given[0] ?? '', given[1] ?? '') : undefined
  const words = line?.words.slice(1) ?? given
  const current = words.at(-1) ?? ''
  const seen = new Set<string>()
  const candidates = (await listCandidates(words.slice(0, -1), current, context)).filter(({ value }) => {
    const isNew = !seen.has(value)
    seen.add(value)
    return isNew && value.startsWith(current) && terminalLine(value) === value
  })
  const lines = candidates.map(({ value, about }) =>
    line === undefined
      ? `${value}\t${terminalLine(about.split('\n', 1)[0] ?? '')}`
      : quoteForBash(value.slice(line.fixed.length), line.quote),
  )
  return lines.map(each => `${each}\n`).join('')
}

/** @param before the words between `toolscope` and the current one */
async function listCandidates(
  before: readonly string[],
  current: string,
  context: CompletionContext,
): Promise<readonly Candidate[]> {
  const [first = ''] = before
  const isNamed = commandNames.includes(first)
  const [command] = await loadCommands([isNamed ? first : 'serve'])
  // Words after `--` belong to another program.
  if (command === undefined || before.includes('--')) return []
  const options = listOptions(command)
  const { positionals, awaits } = readWords(before.slice(isNamed ? 1 : 0), options)
  const [name = '', value] = current.startsWith('--') ? current.split('=', 2) : []
  const joined = value === undefined ? undefined : options.find(option => option.name === name)
  if (joined !== undefined)
    return (await listValues(joined, positionals, context)).map(each => ({
      ...each,
      value: `${name}=${each.value}`,
    }))
  if (awaits !== undefined) return listValues(awaits, positionals, context)
  if (current.startsWith('-')) {
    const own = [...options, { name: '--help', description: 'Show help.' }]
    const typed = own.map(option => ({ value: option.name, about: option.description }))
    return [...typed, ...(await listToolFlags(command, positionals, context))]
  }
  const sources = await listSources(context)
  if (before.length === 0) return [...(await describeCommands(current)), ...sources]
  const key = command.positionals[positionals.length] ?? command.positionals.at(-1)
  if (key === 'tool') {
    const tools = nameTools(await readTools([], context), current)
    return command.name === 'help' ? [...tools, ...(await describeCommands(current)), ...sources] : tools
  }
  if (key === undefined || ['file', 'files', 'address'].includes(key)) return []
  const choices = listChoices(command, key)
  if (choices.length > 0) return choices.map(value => ({ value, about: '' }))
  return before.some(word => takesVersions.includes(word))
    ? [...sources, ...(await listStoredSources(context))]
    : sources
}

/** Returns the words that are not options or their values, and the option whose value comes next. */
function readWords(words: readonly string[], options: readonly TypedOption[]) {
  const positionals: string[] = []
  let awaits: TypedOption | undefined
  for (const word of words) {
    if (awaits !== undefined) awaits = undefined
    else if (word.startsWith('-'))
      awaits = options.find(({ name, takesValue }) => takesValue && name === word)
    else positionals.push(word)
  }
  return { positionals, awaits }
}

async function listValues(
  { name, choices }: TypedOption,
  sources: readonly string[],
  context: CompletionContext,
): Promise<readonly Candidate[]> {
  if (name === '--tool') return nameTools(await readTools(sources, context), '')
  return choices.map(value => ({ value, about: '' }))
}

/** Loads only the commands that fit: each loads a part of the program. */
async function describeCommands(current: string): Promise<Candidate[]> {
  const commands = await loadCommands(commandNames.filter(name => name.startsWith(current)))
  return commands.map(({ name, description }) => ({ value: name, about: description }))
}

/** Returns the flags of the tool that `call` names. */
async function listToolFlags(
  { takesToolFlags }: Command,
  [tool, ...sources]: readonly string[],
  context: CompletionContext,
): Promise<Candidate[]> {
  if (takesToolFlags !== true || tool === undefined) return []
  const known = (await readTools(sources, context)).find(
    ({ source, name }) => name === tool || `${source}/${name}` === tool,
  )
  const properties = isObject(known?.inputSchema) ? known.inputSchema.properties : undefined
  if (!isObject(properties)) return []
  return Object.entries(properties).map(([field, schema]) => {
    const about = isObject(schema) ? schema.description : undefined
    return { value: `--${field}`, about: typeof about === 'string' ? about : '' }
  })
}

/** Returns the sources of toolscope.json. */
async function listSources({ directory }: CompletionContext): Promise<Candidate[]> {
  const { loadConfig } = await import('../config/config.ts')
  try {
    return loadConfig(directory).entries.map(({ spec }) => ({
      value: spec.settings.name,
      about: 'source of toolscope.json',
    }))
  } catch {
    return []
  }
}

/* Reads the store. */

interface KnownTool extends ManifestTool {
  readonly source: string
}

async function listStoredSources(context: CompletionContext): Promise<readonly Candidate[]> {
  const names: Candidate[] = []
  await withStoredVersions(context, async snapshots => {
    for (const value of await snapshots.sources()) names.push({ value, about: 'kept versions' })
  })
  return names
}

/**
 * Returns the tools of the last known lists: of the named sources that are known; else of those of toolscope.json; without
 * one, of all sources.
 */
async function readTools(
  named: readonly string[],
  context: CompletionContext,
): Promise<readonly KnownTool[]> {
  const tools: KnownTool[] = []
  const { toSourceName } = await import('../recognise/source-name.ts')
  const configured = (await listSources(context)).map(({ value }) => toSourceName(value))
  await withStoredVersions(context, async snapshots => {
    const stored = await snapshots.sources()
    const chosen = stored.filter(source => named.includes(source))
    const usual = configured.length > 0 ? stored.filter(source => configured.includes(source)) : stored
    for (const source of chosen.length > 0 ? chosen : usual) {
      const [latest] = await snapshots.list(source)
      if (latest === undefined) continue
      for (const tool of (await snapshots.manifestOf(latest)).tools) tools.push({ ...tool, source })
    }
  })
  return tools
}

/** Calls `read` if there is a store. Ignores errors: a shell shows no text of ours between its prompt and its line. */
async function withStoredVersions(
  { environment }: CompletionContext,
  read: (snapshots: SnapshotStore) => Promise<void>,
): Promise<void> {
  const isServer = Boolean(environment.TOOLSCOPE_DATABASE_URL)
  if (!isServer && !existsSync(join(dataDirectory(environment), 'toolscope.db'))) return
  const work = async () => {
    const [{ openStore }, { storedSnapshots }] = await Promise.all([
      import('../store/open-store.ts'),
      import('../store/snapshots.ts'),
    ])
    const store = await openStore({ environment, say: () => {}, keepsBackups: true })
    if (store.status().state === 'ready') await read(storedSnapshots(store))
    await store.close()
  }
  const worked = work().catch(() => {})
  await (isServer ? Promise.race([worked, setTimeout(maxWaitMs, undefined, { ref: false })]) : worked)
}

/** Names tools as `call` accepts them: with their source if several have the name, or if a slash was typed. */
function nameTools(tools: readonly KnownTool[], current: string): Candidate[] {
  const count = new Map<string, number>()
  for (const { name } of tools) count.set(name, (count.get(name) ?? 0) + 1)
  return tools.flatMap(({ name, source, description = '' }) => {
    const full = { value: `${source}/${name}`, about: description }
    if (count.get(name) !== 1) return [full]
    return [{ value: name, about: description }, ...(current.includes('/') ? [full] : [])]
  })
}

/* Splits and quotes as bash does. */

interface BashLine {
  /** Without quotes; the last one is unfinished. */
  readonly words: readonly string[]
  /** The beginning of the last word that bash does not replace. */
  readonly fixed: string
  /** The quote that is open at the end of the line. */
  readonly quote: '"' | "'" | undefined
}

/** @param breaks COMP_WORDBREAKS: outside of quotes, bash replaces only what comes after the last of them */
function splitBashLine(line: string, breaks: string): BashLine {
  const words: string[] = []
  let word: string | undefined
  let fixed = ''
  let quote: BashLine['quote']
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? ''
    const next = line[at + 1] ?? ''
    if (sign === '\\' && quote !== "'" && (quote === undefined || '"\\$`'.includes(next))) {
      word = `${word ?? ''}${next}`
      at++
    } else if (sign === quote || (quote === undefined && (sign === '"' || sign === "'"))) {
      quote = sign === quote ? undefined : (sign as '"' | "'")
      word ??= ''
      fixed = word
    } else if (quote === undefined && /\s/.test(sign)) {
      if (word !== undefined) words.push(word)
      word = undefined
      fixed = ''
    } else {
      word = `${word ?? ''}${sign}`
      if (quote === undefined && breaks.includes(sign)) fixed = word
    }
  }
  return { words: [...words, word ?? ''], fixed, quote }
}

/** @param quote the open quote, which bash closes itself */
function quoteForBash(text: string, quote: BashLine['quote']): string {
  if (quote === '"') return text.replace(/["\\$`]/g, '\\$&')
  if (quote === "'") return text.replaceAll("'", `'\\''`)
  return text.replace(/[^\p{L}\p{M}\p{N}_@%+=:,./-]/gu, '\\$&')
}
