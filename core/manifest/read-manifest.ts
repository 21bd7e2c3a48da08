import { AppError } from '../errors.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { describeJsonMistake } from '../json/json-mistake.ts'
import { shorten } from '../text/wording.ts'
import { type Manifest, type ManifestProblem, type ManifestTool, missingInput } from '../tool/tool.ts'
import { detectShape, type Envelope, readDeclarations } from './entry-shapes.ts'
import { type ManifestFormat, manifestFormatWords } from './manifest-formats.ts'
import { describeValue, toTool } from './tool-entry.ts'

/**
 * Reads a list of tools in any of `manifestFormats`. A fault in one entry does not affect the others. Throws AppError
 * `manifest-unrecognised` if it finds no list.
 */
export function readManifest(json: unknown): Manifest {
  const listing = findListing(json)
  if (listing === undefined) {
    const { found, hint } = describeUnrecognised(json)
    throw new AppError('manifest-unrecognised', `Found ${found}.`, { hint })
  }
  const reader = new ToolListReader(listing.envelope)
  for (const entry of listing.entries) reader.add(entry)
  const { tools, problems, callingConvention } = reader
  if (typeof own(listing.envelopeObject, 'nextCursor') === 'string')
    problems.push({
      message: 'The list is incomplete: it is one page of several.',
      hint: 'Ask the server for the pages after `nextCursor` and join their tools.',
    })
  if (listing.envelope === 'bundle') problems.push(describeBundle(listing))
  const instructions = own(listing.envelopeObject, 'instructions')
  const protocolVersion = own(listing.envelopeObject, 'protocolVersion')
  return {
    tools,
    problems,
    format: callingConvention === undefined ? detectFormat(listing) : '--llms manifest',
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
  private readonly envelope: Envelope
  private readonly keepOne: ((tool: ManifestTool, at: number) => ManifestTool) | undefined

  /** @param keepOne gets a tool and its index, and returns an equal tool if one is in memory already */
  constructor(envelope: Envelope, keepOne?: (tool: ManifestTool, at: number) => ManifestTool) {
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

/** The first entry that is an object decides the name of the format. */
function detectFormat(listing: Listing): ManifestFormat {
  return detectShape(listing.entries.find(isObject), listing.envelope)[0]
}

/**
 * Returns the text of the documentation entry that starts every `--llms` manifest. A real tool with the name `help`, or
 * an entry at another position, is a normal tool.
 */
function reservedHelp(first: unknown, envelope: Envelope): string | undefined {
  if (envelope !== 'tools' || !isObject(first) || own(first, 'name') !== 'help') return undefined
  const description = own(first, 'description')
  return typeof description === 'string' && description.startsWith('Documentation tool, not callable.')
    ? description
    : undefined
}

/** The inputs of a bundle's tools are only known to its server. */
function describeBundle({ entries, envelopeObject }: Listing): ManifestProblem {
  const isPartial = own(envelopeObject, 'tools_generated') === true
  const server = own(envelopeObject, 'server')
  const start = isObject(server) ? own(server, 'mcp_config') : undefined
  const { command, args }: UnknownObject = isObject(start) ? start : {}
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(word => typeof word === 'string')
  const line = words.length === 0 ? 'its server' : `its server (${shorten(words.join(' '), 200)})`
  return {
    message:
      entries.length === 0
        ? 'The manifest of the bundle names no tools.'
        : `The manifest of the bundle names ${isPartial ? 'some of its' : 'its'} tools without their inputs; any object is taken as input.`,
    hint: `To see all of its tools and to call them, add ${line} as a source.`,
    unreadInput: missingInput,
  }
}

interface Unrecognised {
  readonly found: string
  readonly hint: string
}

function describeUnrecognised(json: unknown): Unrecognised {
  const hint = `Expected one of these formats: ${manifestFormatWords}.`
  if (!isObject(json)) return { found: describeValue(json), hint }
  const error = own(json, 'error')
  const message = isObject(error) ? own(error, 'message') : undefined
  if (typeof message === 'string')
    return { found: `an error in place of a list: ${describeValue(message)}`, hint }
  const version = own(json, 'openapi') ?? own(json, 'swagger')
  if (typeof version === 'string')
    return {
      found: `an OpenAPI document (${shorten(version, 20)}), which describes HTTP requests and not tools`,
      hint: 'Swagger UI, Redoc and Scalar show it. FastMCP (FastMCP.from_openapi) makes an MCP server of it, which you can add.',
    }
  const name = own(json, 'name')
  if (typeof name === 'string' && ['packages', 'remotes'].some(key => Array.isArray(own(json, key))))
    return {
      found: `the entry of the MCP registry (server.json) for the server ${JSON.stringify(shorten(name, 200))}, which says how to start it and not its tools`,
      hint: 'Add the file as a source: toolscope server.json.',
    }
  return { found: describeValue(json), hint }
}

interface Listing {
  readonly entries: readonly unknown[]
  readonly envelope: Envelope
  /** The object that contains the list, for its other members (`instructions`, `nextCursor`). */
  readonly envelopeObject: UnknownObject
}

/**
 * Finds the list: bare, under `tools` or `functions`, in a JSON-RPC answer or Bedrock's `toolConfig`, in a bundle, or
 * incur's `commands`. The declarations of all tools of Gemini are one list.
 */
function findListing(json: unknown): Listing | undefined {
  if (Array.isArray(json)) {
    const declared = joinDeclarations(json, {})
    if (declared !== undefined) return declared
    const plausible = json.length === 0 || json.some(entry => isObject(entry) && looksLikeTool(entry))
    return plausible ? { entries: withoutCachePoints(json), envelope: 'bare', envelopeObject: {} } : undefined
  }
  if (!isObject(json)) return undefined
  const envelopeObject = findEnvelope(json)
  const version = own(envelopeObject, 'version')
  const commands = own(envelopeObject, 'commands')
  if (Array.isArray(commands) && typeof version === 'string' && version.startsWith('incur'))
    return { entries: commands, envelope: 'incur', envelopeObject }
  const tools = own(envelopeObject, 'tools')
  const bundleVersion = own(json, 'manifest_version') ?? own(json, 'dxt_version')
  if (typeof bundleVersion === 'string' && isObject(own(json, 'server')))
    return { entries: Array.isArray(tools) ? tools : [], envelope: 'bundle', envelopeObject: json }
  const declared = joinDeclarations(Array.isArray(tools) ? tools : [envelopeObject], envelopeObject)
  if (declared !== undefined) return declared
  for (const envelope of ['tools', 'functions'] as const) {
    const entries = own(envelopeObject, envelope)
    if (Array.isArray(entries)) return { entries: withoutCachePoints(entries), envelope, envelopeObject }
  }
  return undefined
}

function findEnvelope(json: UnknownObject): UnknownObject {
  if (Object.hasOwn(json, 'tools')) return json
  const result = own(json, 'result')
  if (isObject(result)) return result
  const toolConfig = own(json, 'toolConfig')
  return isObject(toolConfig) ? toolConfig : json
}

/** Returns the declarations of a list of Gemini's tools, as one list; undefined if none has declarations. */
function joinDeclarations(tools: readonly unknown[], envelopeObject: UnknownObject): Listing | undefined {
  const readList = (tool: unknown) => (isObject(tool) ? readDeclarations(tool) : undefined)
  if (!tools.some(tool => Array.isArray(readList(tool)))) return undefined
  const entries = tools.flatMap(tool => {
    const list = readList(tool)
    return Array.isArray(list) ? list : [tool]
  })
  return { entries, envelope: 'gemini', envelopeObject }
}

/** A list of Bedrock's tools may have `{"cachePoint": …}` between them, which is about costs and not a tool. */
const withoutCachePoints = (entries: readonly unknown[]) =>
  entries.some(isCachePoint) ? entries.filter(entry => !isCachePoint(entry)) : entries

const isCachePoint = (entry: unknown) =>
  isObject(entry) && Object.hasOwn(entry, 'cachePoint') && Object.keys(entry).length === 1

function looksLikeTool(entry: UnknownObject): boolean {
  return ['name', 'parameters', 'inputSchema', 'input_schema', 'function', 'toolSpec'].some(key =>
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
    const hint = `Expected JSON in one of these formats: ${manifestFormatWords}.`
    throw new AppError('manifest-not-json', describeJsonMistake(json, name), { hint, cause })
  }
  return readManifest(parsed)
}
