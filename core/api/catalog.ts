/** The catalog's tools: a flat search, the tree as rows, one tool with all its fields, and the agents. */
import { z } from 'zod'
import { rowPage, rowsQuery, surfaceKind, toolPage, toolsQuery } from '../catalog/rows.ts'
import type { UiSchema } from '../form/tool-forms.ts'
import { isObject } from '../json/json.ts'
import { list } from '../json/zod-shapes.ts'
import {
  type Agent,
  type BuiltInVariable,
  builtInVariables,
  type DynamicInstructions,
} from '../tool/agent.ts'
import { manifestProblem, manifestTool, skillContents } from '../tool/shapes.ts'
import { audited, defineEndpoints } from './endpoint.ts'

const toolDetail = manifestTool.extend({
  /** Absent for a tool. `uri` is the address of a resource or of a skill's SKILL.md, or the RFC 6570 template of a template. */
  kind: surfaceKind.exactOptional(),
  uri: z.string().exactOptional(),
  mimeType: z.string().exactOptional(),
  skill: skillContents.exactOptional(),
  /** Whether changes of the resource are reported; absent if its server reports none. */
  subscribed: z.boolean().exactOptional(),
  /** Whether the server suggests values for its arguments or variables. */
  completes: z.boolean().exactOptional(),
  ref: z.string(),
  source: z.string(),
  index: z.number(),
  callable: z.boolean(),
  /** SHA-256 of the canonical input schema, first 16 hex digits: drafts are stored per tool and schema. */
  schemaHash: z.string(),
  /** SHA-256 of the whole definition, 64 hex digits, for `options.definition` of a call; absent in an export. */
  definition: z.string().exactOptional(),
  /** Its command in the console; unique in the catalog. */
  command: z.string().exactOptional(),
  /** The layout of its form, from `forms` of toolscope.json. */
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

/** Routes match in this order. The reference of a tool comes last, because it may contain slashes. */
export const catalogEndpoints = defineEndpoints({
  'GET /api/rows': {
    right: 'read',
    about: 'The catalog as a tree, row by row, with prompts, resources and templates',
    query: rowsQuery,
    answer: rowPage,
  },
  'GET /api/agents': {
    right: 'read',
    about: 'The agents; their instructions are raw, with the values of the built-in variables',
    answer: z.object({ agents: list(agent) }),
  },
  'POST /api/agents/{source}/{name}/instructions': audited({
    right: 'call',
    about: 'Runs the agent’s function `_instructions`; the answer is its text, or why it has none',
    params: z.object({ source: z.string(), name: z.string() }),
    body: z.object({ variables: z.record(z.string(), z.string()) }),
    target: ({ params }) => `${params.source}/${params.name}`,
    answer: dynamicInstructions,
  }),
  'POST /api/subscriptions': audited({
    right: 'call',
    about: 'Has the changes of a resource reported as `catalog` events, or no longer',
    body: z.object({ ref: z.string(), subscribed: z.boolean() }),
    target: ({ body }) => `${body.ref} subscribed=${body.subscribed}`,
    answer: z.object({ subscribed: z.boolean() }),
  }),
  'POST /api/completions': audited({
    right: 'call',
    about:
      'What the server suggests for an argument of a prompt or a variable of a template, 100 values at most',
    body: z.object({
      ref: z.string(),
      argument: z.string().max(1_000),
      text: z.string().max(10_000),
      others: z.record(z.string(), z.string()),
    }),
    target: ({ body }) => `${body.ref} argument=${body.argument}`,
    answer: z.object({ values: list(z.string()) }),
  }),
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
