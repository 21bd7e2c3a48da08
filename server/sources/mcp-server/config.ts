/** How an MCP server is reached: a program that speaks over its pipes, or an address. */
import { z } from 'zod'

/** A server as toolscope.json writes it: `{"command": ["npx", "-y", "some-server"]}` or `{"url": "http://…"}`. */
export const mcpEntry = z.union([
  z.strictObject({
    command: z.array(z.string()).min(1).describe('Program and arguments of a server that speaks over stdio.'),
    env: z
      .record(z.string(), z.string())
      .optional()
      .describe('Environment of the server; values may hold environment variables.'),
  }),
  z.strictObject({
    url: z
      .string()
      .describe('Address of a server that speaks Streamable HTTP; may hold environment variables.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('Headers of every request; values may hold environment variables.'),
  }),
])

export interface StdioServer {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Working directory; relative to the configuration's. */
  readonly directory?: string
}

export interface HttpServer {
  readonly url: string
  /** It speaks HTTP+SSE, the transport of 2024; without this it is tried after Streamable HTTP. */
  readonly oldStream?: boolean
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type McpServerConfig = StdioServer | HttpServer
