/**
 * The files in which other clients (Claude, VS Code, Cursor, Codex …) list their MCP servers, which are only read, and
 * the texts that give a source to such a client: a line, a part of a file, a link.
 */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { connectClientIds } from '../prompt/connect-clients.ts'
import { audited, defineEndpoints } from './endpoint.ts'
import { sourceState } from './sources.ts'

/** A value that a server's file asks the user for before the server starts. */
const clientInput = z.object({
  id: z.string(),
  label: z.string(),
  /** Whether the page hides it during typing. No value is stored. */
  isSecret: z.boolean(),
  default: z.string().exactOptional(),
  options: list(z.object({ label: z.string(), value: z.string() })).exactOptional(),
})
export type ClientInput = z.infer<typeof clientInput>

const clientServer = z.object({
  /** Unique within its file. */
  id: z.string(),
  name: z.string(),
  /** Its command or address, with secrets masked. */
  about: z.string(),
  /** The project folder that its file lists it for. */
  project: z.string().exactOptional(),
  /** Whether its file disables it. */
  isDisabled: z.boolean(),
  /** Why it cannot be opened. */
  problem: z.string().exactOptional(),
  /** The name of its source, if it is in the catalog. */
  source: z.string().exactOptional(),
  inputs: list(clientInput),
})
export type ClientServer = z.infer<typeof clientServer>

const clientFile = z.object({
  client: z.string(),
  /** An absolute path. */
  path: z.string(),
  scope: z.enum(['user', 'project']),
  /** Why it could not be read, with the line. */
  problem: z.string().exactOptional(),
  servers: list(clientServer),
})
export type ClientFileState = z.infer<typeof clientFile>

const via = z.enum(['server', 'toolscope'])

export const connection = z.object({
  client: z.enum(connectClientIds),
  /** The client's name, for people. */
  title: z.string(),
  /** `server`: the client starts or reaches the server itself · `toolscope`: it starts `toolscope mcp`. */
  via,
  texts: list(
    z.object({
      kind: z.enum(['line', 'file', 'link']),
      /** Tells the user where the text belongs. */
      about: z.string(),
      text: z.string(),
    }),
  ),
  /** Sentences about variables that the user must set, and about settings that the client does not have. */
  notes: list(z.string()),
  /** The variables that stand for secrets and inputs, and those that the source names. */
  variables: list(z.string()),
})

export type Connection = z.infer<typeof connection>

export const clientEndpoints = defineEndpoints({
  'GET /api/clients': audited({
    right: 'sources',
    about: 'The MCP servers that files of other clients name; nothing of them is started',
    target: () => 'files of other clients',
    answer: z.object({
      /** The files that exist and name a server, or that cannot be read. */
      files: list(clientFile),
      /** Every path that was searched. */
      looked: list(z.string()),
    }),
  }),
  'POST /api/clients/open': audited({
    right: 'sources',
    about:
      'Opens a server of such a file; `inputs` holds the values that the file asks for, which are not stored',
    body: z.object({
      file: z.string().max(4_096),
      id: z.string().max(4_096),
      inputs: z.record(z.string(), z.string().max(100_000)).optional(),
    }),
    target: ({ body }) => `${body.file}#${body.id}`,
    answer: sourceState,
    status: 201,
  }),
  'GET /api/sources/{name}/connect': audited({
    right: 'sources',
    about:
      'What gives the source to another MCP client; secrets are variables. Nothing is started or written',
    params: z.object({ name: z.string() }),
    query: z.object({ client: z.enum(connectClientIds), via: via.optional() }),
    target: ({ params, query }) => `${params.name} client=${query.client}`,
    answer: connection,
  }),
})
