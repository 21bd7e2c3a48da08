/** The catalog's tools: a flat search, the tree as the page draws it, one tool whole, and the agents. */
import { z } from 'zod'
import {
  type Agent,
  type BuiltInVariable,
  builtInVariables,
  type DynamicInstructions,
} from '../agent/agent.ts'
import type { UiSchema } from '../form/ui-schema.ts'
import { isObject } from '../json/json.ts'
import type { SurfaceKind } from '../tool/tool.ts'
import { defineEndpoints, list, queryFlag } from './endpoint.ts'
import { manifestProblem, manifestTool, toolAnnotations } from './shapes.ts'

/** Which filters the catalog offers beside the text. */
export const toolFilter = z.enum(['read-only', 'destructive', 'typed-output', 'callable'])
export type ToolFilter = z.infer<typeof toolFilter>

/** Texts separated by commas; absent or empty is no text. The page gives a list. */
const commaList = z
  .union([z.string(), z.array(z.string()).readonly()])
  .optional()
  .transform(given =>
    typeof given === 'string' ? (given === '' ? [] : given.split(',')) : [...(given ?? [])],
  )

const choice = {
  q: z.string().max(500).default(''),
  /** Source names; none is all. */
  source: commaList,
  filter: commaList.pipe(z.array(toolFilter)),
  limit: z.coerce.number<string | number>().int().min(1).max(1000).default(100),
}

export const toolsQuery = z.object({
  ...choice,
  /** With the prompts, resources and templates of MCP servers. */
  surface: queryFlag.default(false),
  /** Opaque: `nextCursor` of the page before. */
  cursor: z.string().optional(),
})

export const rowsQuery = z.object({
  ...choice,
  /** Ids of the rows that are closed, as a JSON array of strings. */
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
  /** Ref of a tool whose position is asked for. */
  find: z.string().max(10_000).optional(),
})

const surfaceKind = z.enum(['prompt', 'resource', 'template']) satisfies z.ZodType<SurfaceKind>

const toolSummary = z.object({
  ref: z.string(),
  source: z.string(),
  name: z.string(),
  /** Absent for a tool. */
  kind: surfaceKind.exactOptional(),
  title: z.string().exactOptional(),
  /** First line of the description, 200 characters at most. */
  summary: z.string().exactOptional(),
  annotations: toolAnnotations.exactOptional(),
  /** A small picture as a `data:` address. */
  icon: z.string().exactOptional(),
  callable: z.boolean(),
  hasOutputSchema: z.boolean(),
})
export type ToolSummary = z.infer<typeof toolSummary>

const toolPage = z.object({
  tools: list(toolSummary),
  /** How many match the query, and how many there are in all. */
  matched: z.number(),
  total: z.number(),
  nextCursor: z.string().exactOptional(),
})
export type ToolPage = z.infer<typeof toolPage>

/** [start, end) character ranges to highlight. */
const matchRanges = list(z.tuple([z.number(), z.number()]).readonly())
export type MatchRanges = z.infer<typeof matchRanges>

/** One line of the catalog tree, in the order it is drawn. */
const catalogRow = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('source'),
    /** Stable; what `collapsed` holds. */
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
    /** The segment it stands for: `api`; the heading of a surface. */
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
    /** The last segment of the name, which is what the row shows under its groups. */
    label: z.string(),
    labelMatches: matchRanges,
    summaryMatches: matchRanges,
  }),
])
export type CatalogRow = z.infer<typeof catalogRow>

const rowPage = z.object({
  rows: list(catalogRow),
  offset: z.number(),
  /** Rows in all with this query and these collapsed groups. */
  rowCount: z.number(),
  /** Tools that match, and tools there are. */
  matched: z.number(),
  total: z.number(),
  /** No tool has every word of the text: these are the best matches. */
  partial: z.literal(true).exactOptional(),
  /** Position of the tool that `find` named; absent when it is not drawn. */
  foundAt: z.number().exactOptional(),
})
export type RowPage = z.infer<typeof rowPage>

const toolDetail = manifestTool.extend({
  /** Absent for a tool. Its address is `uri`: of a template, the RFC 6570 template. */
  kind: surfaceKind.exactOptional(),
  uri: z.string().exactOptional(),
  mimeType: z.string().exactOptional(),
  /** Whether changes of the resource are reported; absent where its server reports none. */
  subscribed: z.boolean().exactOptional(),
  /** The server suggests values for its arguments or variables. */
  completes: z.boolean().exactOptional(),
  ref: z.string(),
  source: z.string(),
  index: z.number(),
  callable: z.boolean(),
  /** SHA-256 of the canonical input schema, hex, first 16 digits: drafts are kept per tool and schema. */
  schemaHash: z.string(),
  /** What it is called where names are commands; unique in the catalog. */
  command: z.string().exactOptional(),
  /** How its form is drawn: what `forms` of toolscope.json says of it. */
  uiSchema: z.custom<UiSchema>(isObject).exactOptional(),
})
export type ToolDetail = z.infer<typeof toolDetail>

const agentTool = z.object({
  ref: z.string().exactOptional(),
  name: z.string(),
  description: z.string().exactOptional(),
})

const builtInName = z.custom<BuiltInVariable>(name => typeof name === 'string' && name in builtInVariables)

const agent: z.ZodType<Agent> = z.object({
  source: z.string(),
  name: z.string(),
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  version: z.string().exactOptional(),
  instructions: z.string(),
  dynamicInstructions: z.literal(true).exactOptional(),
  variables: z.array(
    z.object({
      name: z.string(),
      description: z.string().exactOptional(),
      default: z.string().exactOptional(),
      inEnvironment: z.literal(true).exactOptional(),
    }),
  ),
  conversationStarters: z.array(z.string()),
  documents: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(['file', 'directory', 'pattern', 'url', 'missing', 'outside']),
      size: z.number().exactOptional(),
    }),
  ),
  ownTools: z.array(agentTool),
  sharedTools: z.array(agentTool),
  builtIn: z.record(builtInName, z.string()),
  problems: z.array(manifestProblem),
})

const dynamicInstructions: z.ZodType<DynamicInstructions> = z.union([
  z.object({ text: z.string() }),
  z.object({
    problem: z.object({
      message: z.string(),
      hint: z.string().exactOptional(),
      stderr: z.string().exactOptional(),
    }),
  }),
])

/** Routes match in this order: the reference of a tool comes last, because it may hold slashes. */
export const catalogEndpoints = defineEndpoints({
  'GET /api/rows': {
    right: 'read',
    about: 'The catalog as a tree, row by row, with prompts, resources and templates',
    query: rowsQuery,
    answer: rowPage,
  },
  'GET /api/agents': {
    right: 'read',
    about: 'The agents; their instructions are raw, with the values of the built-in variables beside them',
    answer: z.object({ agents: list(agent) }),
  },
  'POST /api/agents/{source}/{name}/instructions': {
    right: 'call',
    about: 'Runs the agent’s function `_instructions`; the answer is its text, or why there is none',
    params: z.object({ source: z.string(), name: z.string() }),
    body: z.object({ variables: z.record(z.string(), z.string()) }),
    answer: dynamicInstructions,
  },
  'POST /api/subscriptions': {
    right: 'call',
    about: 'Has the changes of a resource reported as `catalog` events, or no longer',
    body: z.object({ ref: z.string(), subscribed: z.boolean() }),
    answer: z.object({ subscribed: z.boolean() }),
  },
  'POST /api/completions': {
    right: 'call',
    about:
      'What the server suggests for an argument of a prompt or a variable of a template, 100 values at most',
    body: z.object({
      ref: z.string(),
      argument: z.string().max(1_000),
      text: z.string().max(10_000),
      others: z.record(z.string(), z.string()),
    }),
    answer: z.object({ values: list(z.string()) }),
  },
  'GET /api/tools': {
    right: 'read',
    about: 'The tools as a list, best match first',
    query: toolsQuery,
    answer: toolPage,
  },
  'GET /api/tools/{+ref}': {
    right: 'read',
    about: 'One tool with its schemas; a prompt, resource or template in the same shape',
    params: z.object({ ref: z.string() }),
    answer: toolDetail,
  },
})
