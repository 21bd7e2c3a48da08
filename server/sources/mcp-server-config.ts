/** How an MCP server is reached: a program that speaks over its pipes, or a URL. */
import type { SignInConfig } from '../../core/api/source-entry.ts'
import type { Redirects } from '../fetch/fetch-address.ts'

export interface StdioServer {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Working directory; relative to the configuration's. */
  readonly directory?: string
  /** A file of additional variables (`NAME=value` lines), as in VS Code and Cursor; `env` takes precedence. */
  readonly envFile?: string
  /** The variables that it inherits if its settings list none; `safe` unless given, as for the entries of files. */
  readonly inherits?: 'everything' | 'safe'
}

export interface HttpServer {
  readonly url: string
  /** Use HTTP+SSE, the transport of 2024; otherwise it is tried after Streamable HTTP. */
  readonly oldStream?: boolean
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly redirects?: Redirects | undefined
  readonly signIn?: SignInConfig | undefined
}

export type McpServerConfig = StdioServer | HttpServer
