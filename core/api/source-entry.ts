/**
 * A source as the user enters it: the page sends it, the store keeps it, and toolscope.json contains it under a name.
 */
import { z } from 'zod'
import { maxLimitMs, minLimitMs } from '../text/duration.ts'
import { callSettingsFields } from './call-settings.ts'
import { hiddenCatalogPattern } from './hidden-catalog.ts'

const record = z.record(z.string(), z.string())
const flag = z.string().regex(/^--?[A-Za-z][\w-]*$/, 'must be a flag like --llms')

const signInEntry = z
  .strictObject({
    clientId: z.string().min(1).exactOptional().describe('A client that was registered by hand.'),
    clientSecret: z
      .string()
      .regex(/^\$\{env:\w+\}$/, `must name a variable: \${env:NAME}`)
      .exactOptional()
      .describe(`Its secret, as the name of a variable: \${env:NAME}.`),
    issuer: z
      .string()
      .regex(/^https?:\/\//i, 'must be an address: https://…')
      .exactOptional()
      .describe('The only authorization server that the client is used at; required with "clientSecret".'),
    clientMetadataUrl: z
      .string()
      .regex(/^https:\/\/[^/]+\/./i, 'must be an address with a path: https://…/client.json')
      .exactOptional()
      .describe(
        'A client metadata document, for authorization servers that take one instead of a registration.',
      ),
    scope: z.string().min(1).exactOptional().describe('Scopes to request if the server names no scope.'),
  })
  .refine(({ clientId, clientSecret, issuer }) => clientSecret === undefined || (clientId && issuer), {
    message: '"clientSecret" needs "clientId" and "issuer"',
  })

/** How to sign in to a remote server. Without it, Toolscope registers itself with the authorization server. */
export type SignInConfig = z.infer<typeof signInEntry>

/** A server as toolscope.json writes it: `{"command": ["npx", "-y", "some-server"]}` or `{"url": "http://…"}`. */
const mcpEntry = z.union(
  [
    z.strictObject({
      command: z
        .array(z.string())
        .min(1)
        .describe('Program and arguments of a server that speaks over stdio.'),
      env: record.optional().describe('Environment of the server; values may hold environment variables.'),
    }),
    z.strictObject({
      url: z
        .string()
        .describe('Address of a server that speaks Streamable HTTP; may hold environment variables.'),
      headers: record.optional().describe('Headers of every request; values may hold environment variables.'),
      redirects: z
        .enum(['same-host', 'any-host'])
        .optional()
        .describe(
          'Where a redirect may lead: to the same host (unless set), or to any host. Credentials are never sent to another origin.',
        ),
      signIn: signInEntry.optional().describe('How to sign in if Toolscope should not register itself.'),
    }),
  ],
  {
    error: 'must be one of {"command": ["npx", "-y", "some-server"]}, {"url": "https://…"}',
  },
)

const configFields = {
  command: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Program and leading arguments: ["node", "acme.mjs"].'),
  manifest: z.string().optional().describe('Path of a manifest file (JSON of any documented shape).'),
  functions: z.string().optional().describe('Path of an llm-functions directory.'),
  bridge: z
    .string()
    .regex(/^https?:\/\//i, 'must be an address: http://…')
    .optional()
    .describe('Address of a bridge: http://localhost:8808.'),
  recording: z
    .string()
    .optional()
    .describe('Path of a recording; with several sources, one by its name: session.toolrec#acme.'),
  mcp: mcpEntry.optional().describe('An MCP server.'),
  flags: z
    .strictObject({ manifest: flag.optional(), input: flag.optional() })
    .optional()
    .describe('How the program spells --llms (manifest) and --json (input).'),
  subprograms: z
    .array(z.string())
    .optional()
    .describe('Sub-programs to ask one by one if the whole program cannot print its manifest.'),
  directory: z
    .string()
    .optional()
    .describe(
      'Working directory, relative to this file. Unless set: the file’s folder for a program, and where Toolscope was started for the tools of an llm-functions directory.',
    ),
  environment: record
    .optional()
    .describe(
      `Added to the environment of its programs. \${env:NAME} is a variable of the environment that Toolscope has.`,
    ),
  inherit: z
    .array(z.string().regex(/^\w+\*?$/, 'is a name like HOME, or the beginning of names like AWS_*'))
    .optional()
    .describe(
      'The only variables of Toolscope’s environment that its programs get, in addition to PATH, HOME and similar ones. Unless set: all but TOOLSCOPE_…; an MCP server gets only PATH, HOME and similar ones.',
    ),
  background: z
    .enum(['end', 'keep'])
    .optional()
    .describe(
      'What becomes of processes that a tool leaves running when it ends: "end" (unless set) ends them one second later, "keep" never.',
    ),
  ...callSettingsFields,
  hiddenCatalog: hiddenCatalogPattern
    .optional()
    .describe(
      'How the tools of an MCP server list, describe and call other tools. Not needed for incur and ScriptedTool.',
    ),
  listTimeoutMs: z
    .number()
    .int()
    .min(minLimitMs)
    .max(maxLimitMs)
    .optional()
    .describe(
      'Time limit for the list of tools; 20000 unless set, and 60000 for each answer of an MCP server.',
    ),
}

/** An entry of toolscope.json. */
export const configEntry = z
  .strictObject(configFields)
  .refine(
    ({ command, manifest, functions, recording, mcp, bridge }) =>
      countDefined(command, manifest, functions, recording, mcp, bridge) === 1,
    {
      message:
        'a source has exactly one of "command", "manifest", "functions", "recording", "mcp" and "bridge"',
    },
  )
export type SavedEntry = z.infer<typeof configEntry>

/**
 * The fields of toolscope.json, and three for the page: `line` is a command line, `url` an address whose kind is
 * detected, `text` the contents of a manifest. Relative paths start in Toolscope's working directory.
 */
export const sourceEntry = z
  .strictObject({
    ...configFields,
    line: z.string().min(1).max(10_000).optional(),
    url: z.string().min(1).max(10_000).optional(),
    headers: record.optional(),
    text: z.string().optional(),
  })
  .refine(
    ({ line, url, text, command, manifest, functions, recording, mcp, bridge }) =>
      countDefined(line, url, text, command, manifest, functions, recording, mcp, bridge) === 1,
    {
      message:
        'a source has exactly one of "line", "url", "text", "command", "manifest", "functions", "recording", "mcp" and "bridge"',
    },
  )
export type SourceEntry = z.infer<typeof sourceEntry>

/** The name of a source: the user sees it, and the references of its tools start with it. */
export const sourceName = z
  .string()
  .regex(/^(?!__proto__$)[^/,~\s][^/,~]*$/, 'a source name holds no "/", "," or "~"')
  .refine(
    isAddressable,
    'a source name is not "." or "..", does not begin with "git:", holds no control character, and all its characters are complete',
  )

/**
 * Whether addresses, databases, terminals and references can contain the name: clients remove "." and ".." and cannot
 * encode half a character, PostgreSQL refuses NUL, terminals obey control characters, and `git:…` is a file in git.
 */
export function isAddressable(name: string): boolean {
  return !/^\.\.?$|^git:|\p{Surrogate}|\p{Cc}/u.test(name)
}

/** Returns the name, or one like it that `isAddressable`. */
export function toAddressable(name: string): string {
  return name
    .replace(/^\.\.?$/, dots => (dots === '.' ? 'dot' : 'dot-dot'))
    .replace(/^git:/, 'git-')
    .replace(/[\p{Surrogate}\p{Cc}]/gu, '-')
}

const countDefined = (...values: readonly unknown[]) => values.filter(value => value !== undefined).length
