/**
 * Every error that a user can see, in one table: its title, the next step, the HTTP status and the exit code of the
 * command line. A code without a text does not compile.
 */

export const exitCodes = {
  fine: 0,
  unexpected: 1,
  usage: 2,
  unreachable: 3,
  toolFailed: 4,
  breaking: 5,
  signInNeeded: 6,
} as const

interface ErrorText {
  readonly title: string
  readonly hint: string
  readonly exitCode: (typeof exitCodes)[keyof typeof exitCodes]
  /** The HTTP status of our API. */
  readonly status: 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 502 | 503 | 504
}

const texts = {
  usage: {
    title: 'Invalid command line',
    hint: 'Run `toolscope --help` for the commands and their options.',
    exitCode: exitCodes.usage,
    status: 400,
  },
  'config-invalid': {
    title: 'Invalid configuration file',
    hint: 'Fix the file at that location, or pass another toolscope.json with --config.',
    exitCode: exitCodes.usage,
    status: 400,
  },
  'rules-invalid': {
    title: 'The rules of the comparison cannot be read',
    hint: 'Fix the file, or name another one in "diff" of toolscope.json.',
    exitCode: exitCodes.usage,
    status: 422,
  },
  'config-untrusted': {
    title: 'The configuration of this folder is not trusted',
    hint: 'Check what it starts. To trust this folder: `toolscope trust`. For this run only: --trust. For a file of your own: --config FILE.',
    exitCode: exitCodes.usage,
    status: 409,
  },
  'input-invalid': {
    title: 'The input is not JSON',
    hint: 'Pass one JSON value, such as {"name":"Ada"}. On the command line: --input \'{"name":"Ada"}\', --input @file.json, or --input - to read it from stdin.',
    exitCode: exitCodes.usage,
    status: 400,
  },
  'source-unrecognised': {
    title: 'Not a source',
    hint: 'A source is a program that answers --llms, an llm-functions directory, an mcp.json, the address of an MCP server or bridge, or a manifest file (JSON).',
    exitCode: exitCodes.unreachable,
    status: 422,
  },
  'source-known': {
    title: 'This source was added already',
    hint: 'Refresh, start or stop it on the Sources page.',
    exitCode: exitCodes.usage,
    status: 409,
  },
  'name-taken': {
    title: 'This name is taken',
    hint: 'Give it another name.',
    exitCode: exitCodes.usage,
    status: 409,
  },
  'source-not-found': {
    title: 'No such file or program',
    hint: 'Check the spelling, give the full path, or put the program on your PATH.',
    exitCode: exitCodes.unreachable,
    status: 404,
  },
  'not-an-address': {
    title: 'This is not an address',
    hint: 'An address is https://example.com/mcp, or localhost:3000. Give a program as a command instead.',
    exitCode: exitCodes.unreachable,
    status: 422,
  },
  'source-not-runnable': {
    title: 'The program could not be started',
    hint: 'Make the file executable (chmod +x), or name its interpreter before it: `toolscope python3 -- tool.py`.',
    exitCode: exitCodes.unreachable,
    status: 422,
  },
  'source-failed': {
    title: 'Couldn’t load tools',
    hint: 'Run its command by hand. Check the arguments and the environment.',
    exitCode: exitCodes.unreachable,
    status: 502,
  },
  'source-timeout': {
    title: 'The source did not answer in time',
    hint: 'Raise "listTimeoutMs" in toolscope.json, or find out what the source waits for.',
    exitCode: exitCodes.unreachable,
    status: 504,
  },
  'sign-in-needed': {
    title: 'Sign-in needed',
    hint: 'On the source’s page, choose Sign in. On the command line, run `toolscope list <address>` in a terminal.',
    exitCode: exitCodes.signInNeeded,
    // Not 401, which is about the token of this server.
    status: 409,
  },
  'sign-in-failed': {
    title: 'Sign-in failed',
    hint: 'Try again, or give a token of your own as "headers" of this server: docs/remote-servers.md.',
    exitCode: exitCodes.signInNeeded,
    status: 502,
  },
  'inputs-needed': {
    title: 'The server needs values that its file does not contain',
    hint: 'Open “Add source”, “From another client” and enter them.',
    exitCode: exitCodes.usage,
    status: 409,
  },
  'manifest-not-json': {
    title: 'Couldn’t read the manifest',
    hint: 'Check that the text is complete and is JSON.',
    exitCode: exitCodes.unreachable,
    status: 422,
  },
  'manifest-unrecognised': {
    title: 'Unrecognized manifest format',
    hint: 'Check which list of tools it should contain: docs/sources.md names the accepted formats.',
    exitCode: exitCodes.unreachable,
    status: 422,
  },
  'recording-invalid': {
    title: 'The recording cannot be read',
    hint: 'Name a file that `toolscope record` or `toolscope tap` wrote, or record it again.',
    exitCode: exitCodes.unreachable,
    status: 422,
  },
  'manifest-unrepresentable': {
    title: 'The program cannot describe its tools: one of them uses a type that JSON Schema lacks',
    hint: 'In the program, use z.iso.datetime() or z.coerce.date() instead of z.date(), and a string instead of z.bigint(). Until then, name the working parts in toolscope.json: "subprograms": ["api"].',
    exitCode: exitCodes.unreachable,
    status: 502,
  },
  'tool-not-found': {
    title: 'No such tool',
    hint: 'Run `toolscope list` to see the names.',
    exitCode: exitCodes.usage,
    status: 404,
  },
  // The words of the seed system's `help`. Its exit code is 1, which here means a fault of Toolscope itself.
  'unknown-tool': {
    title: 'help: unknown tool',
    hint: 'Run `toolscope help --list` to see the names.',
    exitCode: exitCodes.usage,
    status: 404,
  },
  'tool-ambiguous': {
    title: 'More than one tool has this name',
    hint: 'Name it by its reference: source/name.',
    exitCode: exitCodes.usage,
    status: 409,
  },
  'snapshot-not-found': {
    title: 'No such version',
    hint: 'Write acme@3, acme@latest, acme@previous, acme@2026-11-21 or acme@label; `toolscope list --snapshots` lists the versions.',
    exitCode: exitCodes.usage,
    status: 404,
  },
  'not-callable': {
    title: 'View only: connect its server to call this tool',
    hint: 'Its source is a manifest file, which only lists tools. Add the program or server that provides the tool.',
    exitCode: exitCodes.usage,
    status: 409,
  },
  'pin-unreadable': {
    title: 'The lock file cannot be used, so calls are refused',
    hint: 'Restore the file, for example with `git checkout`, or update Toolscope. To approve the sources again: remove the file, then run `toolscope pin`.',
    exitCode: exitCodes.usage,
    status: 409,
  },
  'pin-changed': {
    title: 'This is no longer what was shown',
    hint: 'Look at the differences again, and approve what is shown then.',
    exitCode: exitCodes.usage,
    status: 409,
  },
  'not-approved': {
    title: 'This is not as it was approved',
    hint: 'See the differences with `toolscope pin --check`, and approve them with `toolscope pin`.',
    exitCode: exitCodes.breaking,
    status: 409,
  },
  'files-failed': {
    title: 'Files next to the configuration could not be read or written',
    hint: 'Check the permissions of that folder.',
    exitCode: exitCodes.usage,
    status: 409,
  },
  'export-refused': {
    title: 'Nothing was exported',
    hint: 'Name an empty folder, or one that an earlier export wrote.',
    exitCode: exitCodes.usage,
    status: 409,
  },
  'server-not-running': {
    title: 'No Toolscope server answers',
    hint: 'Start one with `toolscope`, or name the address of its ready line: `toolscope token http://127.0.0.1:PORT`.',
    exitCode: exitCodes.unreachable,
    status: 503,
  },
  'port-taken': {
    title: 'The port is in use',
    hint: 'Omit --port to get a free one, or choose another.',
    exitCode: exitCodes.unexpected,
    status: 500,
  },
  'app-unavailable': {
    title: 'The app cannot run',
    hint: 'The result of the tool is in the other tabs.',
    exitCode: exitCodes.usage,
    status: 422,
  },
  'question-not-found': {
    title: 'This question was answered or withdrawn',
    hint: 'Call the tool again.',
    exitCode: exitCodes.usage,
    status: 404,
  },
  'request-invalid': {
    title: 'Invalid request',
    hint: 'See docs/api.md for the routes and their bodies.',
    exitCode: exitCodes.usage,
    status: 400,
  },
  unauthorised: {
    title: 'The token is missing or no longer valid',
    hint: 'Open the whole link that `toolscope` printed, or ask the person who gave you the link for a new one. Programs send `Authorization: Bearer <token>`.',
    exitCode: exitCodes.usage,
    status: 401,
  },
  forbidden: {
    title: 'This request does not come from the Toolscope page',
    hint: 'Only the address that `toolscope` printed is served; other hosts and origins are refused.',
    exitCode: exitCodes.usage,
    status: 403,
  },
  'not-allowed': {
    title: 'This server does not allow that',
    hint: 'Ask the person who runs this server; docs/team.md lists what can be switched off.',
    exitCode: exitCodes.usage,
    status: 403,
  },
  draining: {
    title: 'This server is stopping',
    hint: 'Try again: another replica answers, or this server after its start.',
    exitCode: exitCodes.unreachable,
    status: 503,
  },
  'too-many-requests': {
    title: 'Too many requests',
    hint: 'Wait for as many seconds as the header Retry-After says, then try again.',
    exitCode: exitCodes.usage,
    status: 429,
  },
  'store-failed': {
    title: 'History, versions and examples are not available',
    hint: 'docs/history.md says what to do about each cause.',
    exitCode: exitCodes.unexpected,
    status: 503,
  },
  'key-failed': {
    title: 'The key of stored secrets cannot be used',
    hint: 'docs/security.md says where the key is; without it, what it has encrypted cannot be read.',
    exitCode: exitCodes.unexpected,
    status: 503,
  },
  'store-newer': {
    title: 'The data was written by a newer version of Toolscope',
    hint: 'Update Toolscope, or give this version a data folder of its own: TOOLSCOPE_DATA_DIR=<another folder>.',
    exitCode: exitCodes.usage,
    status: 503,
  },
  'not-found': {
    title: 'Not found',
    hint: 'It may have been deleted by a user, or by the retention limits in toolscope.json.',
    exitCode: exitCodes.usage,
    status: 404,
  },
  internal: {
    title: 'Something went wrong in Toolscope itself',
    hint: 'Please report it with what you did and these details.',
    exitCode: exitCodes.unexpected,
    status: 500,
  },
} as const satisfies Record<string, ErrorText>

export type AppErrorCode = keyof typeof texts

export function errorText(code: AppErrorCode): ErrorText {
  return texts[code]
}

/** An error as the API sends it and the command line prints it. */
export interface AppErrorShape {
  readonly code: AppErrorCode
  readonly title: string
  /** The details of this error: names, paths, the refused value. */
  readonly detail: string
  readonly hint: string
  /** The searched locations, or the output of the source (its stderr), unchanged and limited in length. */
  readonly output?: string
  /** How the source was asked when it wrote the output, if it was asked in several ways: `as an MCP server`. */
  readonly outputOf?: string
}

/**
 * How far a source got, in ascending order: it refused how it was asked, gave no answer, ended with an error, or
 * answered with an error.
 */
export const reaches = ['refused', 'silent', 'ended', 'answered'] as const

interface AppErrorOptions {
  readonly output?: string | undefined
  readonly outputOf?: string | undefined
  /** Replaces the table's hint if the caller knows the case better. It may have several lines. */
  readonly hint?: string | undefined
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfterS?: number | undefined
  /** `silent` unless given. */
  readonly reach?: (typeof reaches)[number] | undefined
  readonly cause?: unknown
}

/** The only error class for the user. Any other thrown value is `internal`. */
export class AppError extends Error {
  readonly code: AppErrorCode
  readonly detail: string
  readonly output: string | undefined
  readonly outputOf: string | undefined
  /** The next step for this case; if undefined, the table's hint applies. */
  readonly ownHint: string | undefined
  readonly reach: AppErrorOptions['reach']
  readonly retryAfterS: AppErrorOptions['retryAfterS']

  constructor(code: AppErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(
      `${texts[code].title}: ${detail}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'AppError'
    this.code = code
    this.detail = detail
    this.output = options.output
    this.outputOf = options.outputOf
    this.ownHint = options.hint
    this.reach = options.reach
    this.retryAfterS = options.retryAfterS
  }

  /** Returns the same error with these parts changed. */
  with({ detail = this.detail, ...changes }: AppErrorOptions & { readonly detail?: string }): AppError {
    const { output, outputOf, ownHint: hint, reach } = this
    return new AppError(this.code, detail, { output, outputOf, hint, reach, cause: this, ...changes })
  }

  get exitCode(): number {
    return texts[this.code].exitCode
  }

  toShape(): AppErrorShape {
    const { title, hint } = texts[this.code]
    const shape = { code: this.code, title, detail: this.detail, hint: this.ownHint ?? hint }
    const { output, outputOf } = this
    return {
      ...shape,
      ...(output === undefined ? {} : { output }),
      ...(outputOf === undefined ? {} : { outputOf }),
    }
  }
}

/** Returns the message of any thrown value. */
export function toErrorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** Returns an AppError for any thrown value. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  return new AppError('internal', detail, { cause: thrown })
}
