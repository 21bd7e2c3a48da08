/** Requests and answers of the catalog: tools as a flat list, and the tree row by row. */
import { z } from 'zod'
import { list, queryFlag } from '../json/zod-shapes.ts'
import { isDataIcon, readIcons } from '../tool/icons.ts'
import { toolAnnotations } from '../tool/shapes.ts'
import type { SurfaceKind, Tool } from '../tool/tool.ts'

/** The filters of the catalog, in addition to the text. */
const toolFilter = z.enum(['read-only', 'destructive', 'typed-output', 'callable', 'app', 'for-apps'])
export type ToolFilter = z.infer<typeof toolFilter>

/** Texts separated by commas; an absent or empty value is an empty list. The page passes a list. */
const commaList = z
  .union([z.string(), z.array(z.string()).readonly()])
  .optional()
  .transform(given =>
    typeof given === 'string' ? (given === '' ? [] : given.split(',')) : [...(given ?? [])],
  )

const choice = {
  q: z.string().max(500).default(''),
  /** Source names; an empty list means all sources. */
  source: commaList,
  filter: commaList.pipe(z.array(toolFilter)),
  limit: z.coerce.number<string | number>().int().min(1).max(1000).default(100),
}

export const toolsQuery = z.object({
  ...choice,
  /** Whether to include the prompts, resources and templates of MCP servers. */
  surface: queryFlag.default(false),
  /** Opaque: `nextCursor` of the previous page. */
  cursor: z.string().optional(),
})

export const rowsQuery = z.object({
  ...choice,
  /** Ids of the closed rows, as a JSON array of strings. */
  collapsed: z
    .string()
    .default('[]')
    .transform((text, context) => {
      try {
        return z.array(z.string()).parse(JSON.parse(text))
      } catch {
        context.addIssue({ code: 'custom', message: 'collapsed must be a JSON array of strings' })
        return z.NEVER
      }
    }),
  offset: z.coerce.number<string | number>().int().min(0).default(0),
  /** Ref of a tool whose position the answer should contain. */
  find: z.string().max(10_000).optional(),
})

export const surfaceKind = z.enum([
  'prompt',
  'resource',
  'template',
  'skill',
]) satisfies z.ZodType<SurfaceKind>

const toolSummary = z.object({
  ref: z.string(),
  source: z.string(),
  name: z.string(),
  /** Absent for a tool. */
  kind: surfaceKind.exactOptional(),
  title: z.string().exactOptional(),
  /** First line of the description, at most 200 characters. */
  summary: z.string().exactOptional(),
  annotations: toolAnnotations.exactOptional(),
  /** A small picture as a `data:` URL. */
  icon: z.string().exactOptional(),
  callable: z.boolean(),
  hasOutputSchema: z.boolean(),
})
export type ToolSummary = z.infer<typeof toolSummary>

export const toolPage = z.object({
  tools: list(toolSummary),
  /** How many tools match the query, and how many there are in total. */
  matched: z.number(),
  total: z.number(),
  nextCursor: z.string().exactOptional(),
})
export type ToolPage = z.infer<typeof toolPage>

/** [start, end) character ranges to highlight. */
const matchRanges = list(z.tuple([z.number(), z.number()]).readonly())
export type MatchRanges = z.infer<typeof matchRanges>

/** One line of the catalog tree, in the order of the page. */
const catalogRow = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('source'),
    /** A stable id, which `collapsed` contains. */
    id: z.string(),
    source: z.string(),
    collapsed: z.boolean(),
    matched: z.number(),
    total: z.number(),
  }),
  z.object({
    /** `surface`: the prompts, resources or templates of the source. */
    kind: z.enum(['group', 'surface']),
    id: z.string(),
    source: z.string(),
    /** The common part of the tools' names (`api`), or the heading of a surface. */
    label: z.string(),
    depth: z.number(),
    collapsed: z.boolean(),
    matched: z.number(),
  }),
  z.object({
    kind: z.literal('tool'),
    id: z.string(),
    depth: z.number(),
    tool: toolSummary,
    /** The last segment of the name, which the row shows inside its groups. */
    label: z.string(),
    labelMatches: matchRanges,
    summaryMatches: matchRanges,
    /** Errors and warnings of `lint` for the tool itself, for the clients of the default; absent if there are none. */
    warnings: z.number().exactOptional(),
  }),
])
export type CatalogRow = z.infer<typeof catalogRow>

export const rowPage = z.object({
  rows: list(catalogRow),
  offset: z.number(),
  /** The total number of rows with this query and these collapsed groups. */
  rowCount: z.number(),
  /** How many tools match, and how many there are in total. */
  matched: z.number(),
  total: z.number(),
  /** No tool has every word of the text, so these are the best matches. */
  partial: z.literal(true).exactOptional(),
  /** Position of the tool in `find`; absent if it is not drawn. */
  foundAt: z.number().exactOptional(),
})
export type RowPage = z.infer<typeof rowPage>

const maxSummaryCharacters = 200
/** Keeps a list of a hundred rows small. A larger picture is shown only with the tool itself. */
const maxIconCharacters = 8_192

/** Control characters, and marks that change the text direction, because a row must not affect the next one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

/** Returns the first line with text, at most 200 characters, without control characters. Accepts any text. */
export function summarizeFirstLine(text: string): string {
  const start = text.trimStart().slice(0, 20 * maxSummaryCharacters)
  const [line = ''] = start.split(/[\r\n\u2028\u2029]/u, 1)
  const clean = line.replace(unsafe, ' ').replace(/\s+/gu, ' ').trim()
  if (clean.length <= maxSummaryCharacters) return clean
  const cut = clean.slice(0, maxSummaryCharacters - 1)
  const whole = /[\ud800-\udbff]$/u.test(cut) ? cut.slice(0, -1) : cut
  return `${whole.trimEnd()}…`
}

/** Returns the fields of a tool that a list shows. */
export function summarizeTool(tool: Tool): ToolSummary {
  const title = summarizeFirstLine(tool.title ?? tool.annotations?.title ?? '')
  const summary = summarizeFirstLine(tool.description ?? '')
  const icon = readIcons(tool.extra?.icons).find(
    each => isDataIcon(each) && each.src.length <= maxIconCharacters,
  )
  return {
    ref: tool.ref,
    source: tool.source,
    name: tool.name,
    ...(tool.kind !== undefined && { kind: tool.kind }),
    ...(title !== '' && { title }),
    ...(summary !== '' && { summary }),
    ...(tool.annotations !== undefined && { annotations: tool.annotations }),
    ...(icon !== undefined && { icon: icon.src }),
    callable: tool.callable,
    hasOutputSchema: tool.outputSchema !== undefined,
  }
}
