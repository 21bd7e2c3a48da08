/** Splits a catalog into the parts of an export. */

import { fieldNames } from '../catalog/word-index.ts'
import { own, withoutUndefined } from '../json/json.ts'
import { countWarnings } from '../lint/lint-tools.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolDetail } from './catalog.ts'
import { chunkName, type SiteCatalog, type SiteTool } from './site.ts'
import type { SourceState } from './sources.ts'

export interface SitePart {
  readonly name: string
  readonly json: string
}

/** Limits of tools and characters for one chunk of details. A larger tool gets its own chunk. */
const chunkTools = 100
const chunkLength = 400_000

/** How many characters of a description the search reads. */
const searchedLength = 4_000

/** The name of the first part. */
const catalogName = 'catalog'

/** Returns all parts but the first one, which names their folder. */
export function detailParts(tools: readonly ToolDetail[]): Chunked {
  return chunked(
    tools.map(tool => JSON.stringify(cleanTool(tool))),
    chunkName,
  )
}

interface Chunked {
  readonly parts: readonly SitePart[]
  /** Position of the first text of each part. */
  readonly chunkStarts: readonly number[]
}

/** Splits JSON texts into lists of limited length. */
export function chunked(texts: readonly string[], nameOf: (chunk: number) => string): Chunked {
  const parts: SitePart[] = []
  const chunkStarts: number[] = []
  let open: string[] = []
  let length = 0
  const close = () => {
    if (open.length > 0) parts.push({ name: nameOf(parts.length), json: `[${open.join(',')}]` })
    open = []
    length = 0
  }
  texts.forEach((text, position) => {
    if (open.length === chunkTools || length + text.length > chunkLength) close()
    if (open.length === 0) chunkStarts.push(position)
    open.push(text)
    length += text.length
  })
  close()
  return { parts, chunkStarts }
}

/** Returns the first part, with what the list and the search need. */
export function catalogPart(
  sources: readonly SourceState[],
  tools: readonly ToolDetail[],
  rest: Omit<SiteCatalog, 'sources' | 'tools'>,
): SitePart {
  const catalog: SiteCatalog = { ...rest, sources: sources.map(cleanSource), tools: tools.map(siteTool) }
  return { name: catalogName, json: JSON.stringify(catalog) }
}

function siteTool(detail: ToolDetail): SiteTool {
  const tool = cleanTool(detail)
  const { ref, source, name, title, description, annotations, callable, inputSchema, outputSchema } = tool
  const fields = fieldNames(inputSchema)
  const warnings = countWarnings(detail)
  return {
    ref,
    source,
    name,
    ...withoutUndefined({ kind: tool.kind, uri: tool.uri }),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description: description.slice(0, searchedLength) }),
    ...(annotations === undefined ? {} : { annotations }),
    callable,
    hasOutputSchema: outputSchema !== undefined,
    fields: fields === '' ? [] : fields.split('\n'),
    ...(warnings > 0 && { warnings }),
  }
}

/**
 * Lists the fields of a source and of a tool that an export may contain. A new field is not exported until it is added
 * here. Command lines, addresses, environment, headers, logs and errors are never exported.
 */
function cleanSource(source: SourceState): SourceState {
  const { name, kind, toolCount, format, callingConvention, instructions, protocol, serverInfo } = source
  const { capabilities, icons, surface } = source
  return {
    name,
    kind,
    label: '',
    status: 'ready',
    toolCount,
    callable: false,
    // Problems of entries belong to the manifest; other problems describe the local setup.
    problems: source.problems.filter(problem => problem.index !== undefined),
    ...withoutUndefined({ format, callingConvention, instructions, protocol, serverInfo }),
    ...withoutUndefined({ capabilities, icons, surface }),
  }
}

/** Returns the fields of a tool that an export may contain. */
function cleanTool(tool: ToolDetail): ToolDetail {
  const { ref, source, index, name, title, description, inputSchema, outputSchema, annotations } = tool
  const { kind, uri, mimeType } = tool
  const extra = cleanExtra(tool.extra)
  return {
    ref,
    source,
    index,
    name,
    callable: tool.callable,
    ...withoutUndefined({ kind, uri, mimeType, title, description }),
    inputSchema,
    ...withoutUndefined({ outputSchema, annotations, extra }),
    schemaHash: tool.schemaHash,
    ...withoutUndefined({ command: tool.command, uiSchema: tool.uiSchema }),
  }
}

/** Keys of llm-functions that name the owner of a tool, and categories and tags, which the help reads. */
const takenExtras = ['mcp', 'agent', 'agentName', 'functionName', 'category', 'categories', 'tags'] as const

export function cleanExtra(extra: Tool['extra']): Tool['extra'] {
  if (extra === undefined) return undefined
  const taken = takenExtras.flatMap(key => {
    const value = own(extra, key)
    return value === undefined ? [] : [[key, value] as const]
  })
  return taken.length === 0 ? undefined : Object.fromEntries(taken)
}
