import { AppError } from '../errors.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { describeJsonMistake } from '../json/json-mistake.ts'
import { shorten } from '../text/wording.ts'
import type { Manifest, ManifestProblem, ManifestTool } from '../tool/tool.ts'
import { incurCommand } from './incur.ts'
import { describeValue, type EntryShape, toTool, without } from './tool-entry.ts'

/* The documented formats of a tool, except incur's. */

/**
 * A declaration of functions.json: `{name, description, parameters, agent?}`. Formats of this family have no output
 * schema.
 */
const functionDeclaration: EntryShape = {
  matches: entry => Object.hasOwn(entry, 'parameters'),
  read: entry => ({
    name: own(entry, 'name'),
    description: own(entry, 'description'),
    inputSchema: own(entry, 'parameters'),
    extra: without(entry, ['name', 'description', 'parameters']),
  }),
}

/**
 * An entry of a bridge's `GET /tools`: a declaration with `mcp`, the id of the server that provides it. `?full=1` adds
 * `outputSchema`, `title` and `annotations`.
 */
const bridgeTool: EntryShape = {
  matches: entry => functionDeclaration.matches(entry) && typeof own(entry, 'mcp') === 'string',
  read: entry => {
    const { outputSchema, title, annotations, ...extra } = functionDeclaration.read(entry).extra ?? {}
    return { ...functionDeclaration.read(entry), title, outputSchema, annotations, extra }
  },
}

/** A tool of Anthropic's Messages API: `{name, description?, input_schema, type?: "custom"}`. */
const anthropicTool: EntryShape = {
  matches: entry => Object.hasOwn(entry, 'input_schema'),
  read: entry => ({
    name: own(entry, 'name'),
    description: own(entry, 'description'),
    inputSchema: own(entry, 'input_schema'),
    extra: without(entry, ['name', 'description', 'input_schema']),
  }),
}

const known = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']

/**
 * A tool in MCP's `tools/list` and in `--llms` manifests: `{name, title?, description?, inputSchema, outputSchema?,
 * annotations?, _meta? …}`.
 */
const mcpTool: EntryShape = {
  matches: entry => Object.hasOwn(entry, 'inputSchema'),
  read: entry => ({
    name: own(entry, 'name'),
    title: own(entry, 'title'),
    description: own(entry, 'description'),
    inputSchema: own(entry, 'inputSchema'),
    outputSchema: own(entry, 'outputSchema'),
    annotations: own(entry, 'annotations'),
    extra: without(entry, known),
  }),
}

/**
 * A function tool of OpenAI's APIs: `{type:"function", function:{name, description, parameters, strict?}}` (chat
 * completions), or the same members next to `type` (responses). Without `parameters` it has no input.
 */
const openaiFunction: EntryShape = {
  matches: entry =>
    own(entry, 'type') === 'function' &&
    (Object.hasOwn(entry, 'function') || !Object.hasOwn(entry, 'inputSchema')),
  read: entry => {
    const inner = own(entry, 'function')
    const declaration = isObject(inner) ? inner : entry
    return {
      name: own(declaration, 'name'),
      description: own(declaration, 'description'),
      inputSchema: own(declaration, 'parameters') ?? undefined,
      inputOptional: true,
      extra: without(declaration, ['type', 'name', 'description', 'parameters', 'function']),
    }
  },
}

/** Formats of an entry; the first one that matches reads the entry. */
const shapes: readonly (readonly [string, EntryShape])[] = [
  ['OpenAI tools', openaiFunction],
  ['Anthropic tools', anthropicTool],
  ['MCP tools/list', mcpTool],
  ['bridge /tools', bridgeTool],
  ['functions.json', functionDeclaration],
]

/**
 * Reads any documented list of tools: an `--llms` manifest, MCP tools/list (also as a JSON-RPC answer), functions.json,
 * a bridge's /tools, incur, OpenAI or Anthropic tools. A fault in one entry does not affect the others. Throws AppError
 * `manifest-unrecognised` if it finds no list.
 */
export function readManifest(json: unknown): Manifest {
  const listing = findListing(json)
  if (listing === undefined)
    throw new AppError('manifest-unrecognised', `Found ${describeUnrecognised(json)}.`)
  const reader = new ToolListReader(listing.envelope)
  for (const entry of listing.entries) reader.add(entry)
  const { tools, problems, callingConvention } = reader
  if (typeof own(listing.envelopeObject, 'nextCursor') === 'string')
    problems.push({
      message: 'The list is incomplete: it is one page of several.',
      hint: 'Ask the server for the pages after `nextCursor` and join their tools.',
    })
  const instructions = own(listing.envelopeObject, 'instructions')
  const protocolVersion = own(listing.envelopeObject, 'protocolVersion')
  return {
    tools,
    problems,
    format: callingConvention === undefined ? detectFormatName(listing) : '--llms manifest',
    ...(callingConvention !== undefined && { callingConvention }),
    ...(typeof instructions === 'string' && { instructions }),
    ...(typeof protocolVersion === 'string' && { protocolVersion }),
  }
}

/** Returns the name of an entry as a problem has it. */
export const shortenName = (name: string) => shorten(name, 200)

export class ToolListReader {
  readonly tools: ManifestTool[] = []
  readonly problems: ManifestProblem[] = []
  callingConvention: string | undefined
  private count = 0
  private readonly firstOfName = new Map<string, number>()
  private readonly envelope: Listing['envelope']
  private readonly keepOne: ((tool: ManifestTool, at: number) => ManifestTool) | undefined

  /** @param keepOne gets a tool and its index, and returns an equal tool if one is in memory already */
  constructor(envelope: Listing['envelope'], keepOne?: (tool: ManifestTool, at: number) => ManifestTool) {
    this.envelope = envelope
    this.keepOne = keepOne
  }

  add(entry: unknown): void {
    const index = this.count
    this.count += 1
    if (index === 0) {
      this.callingConvention = reservedHelp(entry, this.envelope)
      if (this.callingConvention !== undefined) return
    }
    const tool = this.read(entry, index)
    if (tool === null) return
    this.tools.push(this.keepOne?.(tool, this.tools.length) ?? tool)
    const first = this.firstOfName.get(tool.name)
    if (first === undefined) this.firstOfName.set(tool.name, index)
    else this.problems.push({ index, name: tool.name, message: `Entry ${first} has the same name.` })
  }

  private read(entry: unknown, index: number): ManifestTool | null {
    if (!isObject(entry)) {
      this.problems.push({ index, message: `The entry is not a tool but ${describeValue(entry)}.` })
      return null
    }
    const fields = detectShape(entry, this.envelope)[1].read(entry)
    const name = typeof fields.name === 'string' ? { name: shortenName(fields.name) } : {}
    return toTool(fields, problem => this.problems.push({ index, ...name, ...problem }))
  }
}

function detectShape(entry: unknown, envelope: Listing['envelope']): readonly [string, EntryShape] {
  if (envelope === 'incur') return ['incur', incurCommand]
  const fitting = isObject(entry) ? shapes.find(([, shape]) => shape.matches(entry)) : undefined
  return (
    fitting ?? (envelope === 'tools' ? ['MCP tools/list', mcpTool] : ['functions.json', functionDeclaration])
  )
}

/** The first entry that is an object decides the name of the format. */
function detectFormatName(listing: Listing): string {
  return detectShape(listing.entries.find(isObject), listing.envelope)[0]
}

/**
 * Returns the text of the documentation entry that starts every `--llms` manifest. A real tool with the name `help`, or
 * an entry at another position, is a normal tool.
 */
function reservedHelp(first: unknown, envelope: Listing['envelope']): string | undefined {
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

interface Listing {
  readonly entries: readonly unknown[]
  /** `bare` is an array without an object around it. */
  readonly envelope: 'bare' | 'tools' | 'functions' | 'incur'
  /** The object that contains the list, for its other members (`instructions`, `nextCursor`). */
  readonly envelopeObject: UnknownObject
}

/** Finds the list: bare, under `tools` or `functions`, in a JSON-RPC answer, or incur's `commands`. */
function findListing(json: unknown): Listing | undefined {
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

/**
 * Parses a manifest from text. Throws AppError `manifest-not-json` with the position of the mistake and the start of
 * the text, or `manifest-unrecognised` as readManifest does.
 *
 * @param name of the text in an error: its file name
 */
export function parseManifestText(text: string, name = 'The text'): Manifest {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch (cause) {
    throw new AppError('manifest-not-json', describeJsonMistake(json, name), { cause })
  }
  return readManifest(parsed)
}
