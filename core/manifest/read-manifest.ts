import { AppError } from '../errors.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { shorten } from '../text/wording.ts'
import type { Manifest, ManifestProblem, ManifestTool } from '../tool/tool.ts'
import { describeValue, type EntryShape, toTool } from './entry.ts'
import { anthropicTool, bridgeTool, functionDeclaration, mcpTool, openaiFunction } from './entry-shapes.ts'
import { incurCommand } from './incur.ts'

/** Entry shapes by the marks they carry; the first that fits reads the entry. */
const shapes: readonly (readonly [string, EntryShape])[] = [
  ['OpenAI tools', openaiFunction],
  ['Anthropic tools', anthropicTool],
  ['MCP tools/list', mcpTool],
  ['bridge /tools', bridgeTool],
  ['functions.json', functionDeclaration],
]

/**
 * Reads any documented list of tools: an `--llms` manifest, MCP tools/list (also as a JSON-RPC answer), functions.json,
 * a bridge's /tools, incur, OpenAI or Anthropic tools. What is wrong with an entry is a problem of that entry alone.
 * Throws AppError `manifest-unrecognised` where no list is found.
 */
export function readManifest(json: unknown): Manifest {
  const listing = findListing(json)
  if (listing === undefined)
    throw new AppError('manifest-unrecognised', `Found ${describeUnrecognised(json)}.`)
  const callingConvention = reservedHelp(listing)
  const tools: ManifestTool[] = []
  const problems: ManifestProblem[] = []
  const firstOfName = new Map<string, number>()
  listing.entries.forEach((entry, index) => {
    if (index === 0 && callingConvention !== undefined) return
    const tool = readEntry(entry, index, listing, problems)
    if (tool === null) return
    tools.push(tool)
    const first = firstOfName.get(tool.name)
    if (first === undefined) firstOfName.set(tool.name, index)
    else problems.push({ index, name: tool.name, message: `Entry ${first} has the same name.` })
  })
  if (typeof own(listing.envelopeObject, 'nextCursor') === 'string')
    problems.push({
      message: 'The list goes on: this is one page of it.',
      hint: 'Ask the server for the pages after `nextCursor` and join their tools.',
    })
  const instructions = own(listing.envelopeObject, 'instructions')
  return {
    tools,
    problems,
    format: callingConvention === undefined ? formatOf(listing) : '--llms manifest',
    ...(callingConvention !== undefined && { callingConvention }),
    ...(typeof instructions === 'string' && { instructions }),
  }
}

const maxShownName = 200

function readEntry(
  entry: unknown,
  index: number,
  listing: Listing,
  problems: ManifestProblem[],
): ManifestTool | null {
  if (!isObject(entry)) {
    problems.push({ index, message: `The entry is not a tool but ${describeValue(entry)}.` })
    return null
  }
  const fields = shapeOf(entry, listing)[1].read(entry)
  const name = typeof fields.name === 'string' ? { name: shorten(fields.name, maxShownName) } : {}
  return toTool(fields, problem => problems.push({ index, ...name, ...problem }))
}

function shapeOf(entry: unknown, { envelope }: Listing): readonly [string, EntryShape] {
  if (envelope === 'incur') return ['incur', incurCommand]
  const fitting = isObject(entry) ? shapes.find(([, shape]) => shape.matches(entry)) : undefined
  return (
    fitting ?? (envelope === 'tools' ? ['MCP tools/list', mcpTool] : ['functions.json', functionDeclaration])
  )
}

/** The shape of the first entry that is an object at all names the list. */
function formatOf(listing: Listing): string {
  return shapeOf(listing.entries.find(isObject), listing)[0]
}

/**
 * The documentation entry that leads every `--llms` manifest, as text. A tool that is merely called `help`,
 * or stands elsewhere, is a tool like any other.
 */
function reservedHelp({ entries: [first], envelope }: Listing): string | undefined {
  if (envelope !== 'tools' || !isObject(first) || own(first, 'name') !== 'help') return undefined
  const description = own(first, 'description')
  return typeof description === 'string' && description.startsWith('Documentation tool, not callable.')
    ? description
    : undefined
}

function describeUnrecognised(json: unknown): string {
  const error = isObject(json) ? own(json, 'error') : undefined
  const message = isObject(error) ? own(error, 'message') : undefined
  return typeof message === 'string'
    ? `an error in place of a list: ${describeValue(message)}`
    : describeValue(json)
}

/** Where a document keeps its list of tools. */
export interface Listing {
  readonly entries: readonly unknown[]
  /** `bare` is an array without anything around it. */
  readonly envelope: 'bare' | 'tools' | 'functions' | 'incur'
  /** The object that holds the list, for what else it says (`instructions`, `nextCursor`). */
  readonly envelopeObject: UnknownObject
}

/** Finds the list: bare, under `tools` or `functions`, in a JSON-RPC answer, or incur's `commands`. */
export function findListing(json: unknown): Listing | undefined {
  if (Array.isArray(json)) {
    const plausible = json.length === 0 || json.some(entry => isObject(entry) && looksLikeTool(entry))
    return plausible ? { entries: json, envelope: 'bare', envelopeObject: {} } : undefined
  }
  if (!isObject(json)) return undefined
  const result = own(json, 'result')
  const envelopeObject = isObject(result) && !Object.hasOwn(json, 'tools') ? result : json
  const version = own(envelopeObject, 'version')
  const commands = own(envelopeObject, 'commands')
  if (Array.isArray(commands) && typeof version === 'string' && version.startsWith('incur'))
    return { entries: commands, envelope: 'incur', envelopeObject }
  for (const envelope of ['tools', 'functions'] as const) {
    const entries = own(envelopeObject, envelope)
    if (Array.isArray(entries)) return { entries, envelope, envelopeObject }
  }
  return undefined
}

function looksLikeTool(entry: UnknownObject): boolean {
  return ['name', 'parameters', 'inputSchema', 'input_schema', 'function'].some(key =>
    Object.hasOwn(entry, key),
  )
}
