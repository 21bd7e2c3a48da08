/** Splits a catalog into the parts of an export. */

import { fieldNames } from '../catalog/field-names.ts'
import { withoutUndefined } from '../json/json.ts'
import type { ToolDetail } from './catalog.ts'
import { chunkName, type SiteCatalog, type SiteTool } from './site.ts'
import { cleanSource, cleanTool } from './site-clean.ts'
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

export interface Chunked {
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
  }
}
