/**
 * Writes the texts that give a server to another MCP client: a command line, a part of a file, an install link. They
 * contain variables in place of secrets (connect-variables.ts).
 */
import { stringify as toToml } from 'smol-toml'
import { withoutUndefined } from '../json/json.ts'
import { formatShellCommand } from '../text/shell.ts'
import { encodeBase64 } from '../tool/mask.ts'
import {
  type ConnectClient,
  type ConnectClientId,
  connectClients,
  type VariableSyntax,
} from './connect-clients.ts'
import {
  listVariables,
  SecretHider,
  type Text,
  type Texts,
  toVariableName,
  type Variable,
} from './connect-variables.ts'

/** A server that is started by its own command, reached at its own address, or offered by `toolscope mcp`. */
export interface ConnectEntry {
  readonly name: string
  /** Every literal value of the environment counts as a secret, whatever its name. */
  readonly hidesEnvironment?: boolean
  readonly server:
    | {
        readonly command: readonly string[]
        readonly env?: Readonly<Record<string, string>>
        /** Absolute. */
        readonly directory?: string
        /** Absolute. */
        readonly envFile?: string
        readonly headers?: undefined
      }
    | {
        readonly url: string
        readonly headers?: Readonly<Record<string, string>>
        /** It only speaks HTTP+SSE, the transport of 2024. */
        readonly isOldStream?: boolean
        readonly env?: undefined
      }
    | {
        /** The source as words of `toolscope mcp`: a program and its arguments, or an address, a path, a name. */
        readonly source: readonly string[]
        /** Options of `toolscope mcp`: `--config`, `FILE`. */
        readonly options?: readonly string[]
        readonly env?: Readonly<Record<string, string>>
        readonly headers?: Readonly<Record<string, string>>
      }
}

export interface ConnectText {
  readonly kind: 'line' | 'file' | 'link'
  /** Tells the user where the text belongs, as a sentence. */
  readonly about: string
  readonly text: string
}

export interface ConnectionTexts {
  readonly client: ConnectClientId
  readonly title: string
  readonly texts: readonly ConnectText[]
  /** Sentences about variables that the user must set, and about settings that the client does not have. */
  readonly notes: readonly string[]
  /** The variables that stand for secrets and inputs, and those that the source names. */
  readonly variables: readonly string[]
}

/** A server with its secrets as variables. */
type HiddenServer =
  | {
      readonly command: readonly Text[]
      readonly env: Texts
      readonly directory?: string
      readonly envFile?: string
    }
  | { readonly url: Text; readonly headers: Texts; readonly isOldStream?: boolean }

/** Whether the client can have a server at an address, without a program of its own. */
export const canReachAddresses = (id: ConnectClientId): boolean => connectClients[id].addressKey !== null

/**
 * Returns the texts that connect a client to a server. A server at an address needs `canReachAddresses`.
 *
 * @param userFile the path of the client's file for all projects, if it is known
 */
export function connectTo(id: ConnectClientId, entry: ConnectEntry, userFile?: string): ConnectionTexts {
  const client: ConnectClient = connectClients[id]
  const name = client.hasPlainNames ? entry.name.replace(/[^\w-]+/g, '-') : toWellFormed(entry.name)
  const server = hideSecrets(entry, client)
  const all =
    'url' in server
      ? [server.url, ...listTexts(server.headers)]
      : [...server.command, ...listTexts(server.env)]
  const variables = listVariables(all)
  const notes: string[] = []
  const write = (text: Text) =>
    text.map(part => (typeof part === 'string' ? toWellFormed(part) : writeVariable(part, client))).join('')
  const config = id === 'codex' ? toCodexEntry(server, write, notes) : toEntry(server, client, write)
  const inputs = client.syntax === 'inputs' ? variables.filter(({ isAsked }) => isAsked).map(toInput) : []
  const part = {
    ...(inputs.length === 0 ? {} : { inputs }),
    [client.key]: Object.fromEntries([[name, config]]),
  }
  const file: ConnectText = {
    kind: 'file',
    about: `Add this to ${[userFile, client.projectFile && `${client.projectFile} of a project`].filter(Boolean).join(', or to ')}:`,
    text: id === 'codex' ? toToml(part) : `${JSON.stringify(part, null, 2)}\n`,
  }
  notes.push(...describeGaps(server, client, variables, all))
  return {
    client: id,
    title: client.title,
    texts: [...lines(id, { name, server, config, inputs, write }), file],
    notes,
    variables: variables.map(variable => variable.name),
  }
}

function hideSecrets({ server, hidesEnvironment }: ConnectEntry, { syntax }: ConnectClient): HiddenServer {
  const texts = [server.env, server.headers].flatMap(record => Object.values(record ?? {}))
  const words = 'url' in server ? [server.url] : 'command' in server ? server.command : server.source
  const hider = new SecretHider([...texts, ...words])
  if ('url' in server)
    return {
      url: hider.address(server.url),
      headers: hider.headers(server.headers),
      ...withoutUndefined({ isOldStream: server.isOldStream }),
    }
  const env = hider.environment(server.env, hidesEnvironment)
  if ('command' in server)
    return {
      command: hider.words(server.command),
      env,
      ...withoutUndefined({ directory: server.directory, envFile: server.envFile }),
    }
  // Toolscope fills in the variables itself, so that no secret is an argument that other users of the machine can read: in
  // the syntax that the client does not fill in.
  const writeForToolscope = (text: Text) =>
    text.map(part => (typeof part === 'string' ? part : writeOwnVariable(part, syntax))).join('')
  const headers = hider.headers(server.headers)
  const source = hider.words(server.source)
  const own = listVariables([...listTexts(headers), ...source]).map(
    variable => [variable.name, [variable]] satisfies [string, Text],
  )
  const [first = '', ...rest] = source.map(writeForToolscope)
  const command = [
    'toolscope',
    'mcp',
    ...(server.options ?? []),
    ...headers.flatMap(([name, text]) => ['--header', `${name}: ${writeForToolscope(text)}`]),
    ...(rest.length === 0 ? [quoteForToolscope(first)] : [first, '--', ...rest]),
  ]
  const set = new Set(env.map(([name]) => name))
  return { command: command.map(word => [word]), env: [...env, ...own.filter(([name]) => !set.has(name))] }
}

const listTexts = (texts: Texts): readonly Text[] => texts.map(([, text]) => text)

/** Writes a variable for Toolscope. Gemini CLI fills in the default value of `${env:NAME:-…}`; its entry has that value. */
function writeOwnVariable({ name, otherwise }: Variable, syntax: VariableSyntax): string {
  if (syntax === 'braces') return `\${env:${name}}`
  const usual = otherwise === undefined ? '' : `:-${otherwise}`
  return syntax === 'none' ? `\${env:${name}${usual}}` : `\${${name}${usual}}`
}

/** Quotes the only word of a source, which Toolscope reads as a command line: without escapes, so in parts if needed. */
function quoteForToolscope(word: string): string {
  if (!/[\s"']/.test(word)) return word
  const parts = word.includes("'") && word.includes('"') ? word.split(/('+)/) : [word]
  return parts
    .filter(part => part !== '')
    .map(part => (part.includes("'") ? `"${part}"` : `'${part}'`))
    .join('')
}

/** JSON, TOML and URLs cannot contain half a character. */
const toWellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd')

function writeVariable({ name, isAsked, otherwise }: Variable, { syntax }: ConnectClient): string {
  if (syntax === 'inputs' && isAsked) return `\${input:${name}}`
  if (syntax === 'inputs' || syntax === 'env') return `\${env:${name}}`
  return otherwise === undefined || syntax === 'none' ? `\${${name}}` : `\${${name}:-${otherwise}}`
}

const toInput = ({ name }: Variable) => ({
  type: 'promptString',
  id: name,
  description: name,
  password: true,
})

type Write = (text: Text) => string

const toRecord = (texts: Texts, write: Write) =>
  texts.length === 0 ? undefined : Object.fromEntries(texts.map(([name, text]) => [name, write(text)]))

/** Returns the entry of a client whose file is JSON. */
function toEntry(
  server: HiddenServer,
  client: ConnectClient,
  write: Write,
): Readonly<Record<string, unknown>> {
  if ('url' in server) {
    const isOld = server.isOldStream === true
    const isOther = isOld && client.addressKey === 'httpUrl'
    return withoutUndefined({
      type: client.namesType || isOther ? (isOld ? 'sse' : 'http') : undefined,
      [isOther ? 'url' : (client.addressKey ?? 'url')]: write(server.url),
      headers: toRecord(server.headers, write),
    })
  }
  const [command = '', ...args] = server.command.map(write)
  return withoutUndefined({
    source: client.key === 'context_servers' ? 'custom' : undefined,
    type: client.namesType ? 'stdio' : undefined,
    command,
    args,
    env: toRecord(server.env, write),
    cwd: client.takesDirectory ? server.directory : undefined,
    envFile: client.takesEnvFile ? server.envFile : undefined,
  })
}

/** Returns the entry of Codex, which takes variables only by their names. */
function toCodexEntry(server: HiddenServer, write: Write, notes: string[]): Record<string, unknown> {
  const literal = (texts: Texts) => texts.filter(([, text]) => listVariables([text]).length === 0)
  const named = (texts: Texts) => texts.filter(([, text]) => listVariables([text]).length > 0)
  /** Returns the variable that Codex passes on; tells the user to set it if no variable has the whole text. */
  const nameText = (wanted: string, text: Text): string => {
    const [only, ...rest] = text
    if (rest.length === 0 && typeof only === 'object' && (only.name === wanted || wanted === ''))
      return only.name
    notes.push(`Codex passes variables on by their names: set ${wanted} to ${write(text)}.`)
    return wanted
  }
  if ('url' in server) {
    const bearer = named(server.headers).find(
      ([name, [scheme, variable, ...rest]]) =>
        name.toLowerCase() === 'authorization' &&
        scheme === 'Bearer ' &&
        typeof variable === 'object' &&
        rest.length === 0,
    )
    const fromVariables = named(server.headers)
      .filter(header => header !== bearer)
      .map(([name, text]) => {
        const isOne = text.length === 1
        return [name, nameText(isOne ? '' : toVariableName(name), text)]
      })
    const fixed = toRecord(literal(server.headers), write)
    return withoutUndefined({
      url: write(server.url),
      bearer_token_env_var: bearer && listVariables([bearer[1]])[0]?.name,
      http_headers: fixed,
      env_http_headers: fromVariables.length === 0 ? undefined : Object.fromEntries(fromVariables),
    })
  }
  const [command = '', ...args] = server.command.map(write)
  const inherited = named(server.env).map(([name, text]) => nameText(name, text))
  return withoutUndefined({
    command,
    args,
    cwd: server.directory,
    env_vars: inherited.length === 0 ? undefined : inherited,
    env: toRecord(literal(server.env), write),
  })
}

interface LineParts {
  readonly name: string
  readonly server: HiddenServer
  readonly config: Readonly<Record<string, unknown>>
  readonly inputs: readonly ReturnType<typeof toInput>[]
  readonly write: Write
}

/** Returns the command lines and links of the clients that have some. Lines are quoted for a POSIX shell. */
function lines(
  id: ConnectClientId,
  { name, server, config, inputs, write }: LineParts,
): readonly ConnectText[] {
  switch (id) {
    case 'claude-code': {
      // The name comes first, because `--env` and `--header` take every word after them.
      const start = ['claude', 'mcp', 'add']
      const pairs = (option: string, texts: Texts, separator: string) =>
        texts.flatMap(([key, text]) => [option, `${key}${separator}${write(text)}`])
      const words =
        'url' in server
          ? [
              ...start,
              '--transport',
              server.isOldStream ? 'sse' : 'http',
              name,
              write(server.url),
              ...pairs('--header', server.headers, ': '),
            ]
          : [...start, name, ...pairs('--env', server.env, '='), '--', ...server.command.map(write)]
      return [{ kind: 'line', about: 'Run this line:', text: formatShellCommand(words) }]
    }
    case 'cursor': {
      const encoded = encodeURIComponent(encodeBase64(JSON.stringify(config)))
      return [
        {
          kind: 'link',
          about: 'Open this link on the machine of Cursor:',
          text: `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encoded}`,
        },
      ]
    }
    case 'vscode': {
      const json = JSON.stringify({ name, ...(inputs.length === 0 ? {} : { inputs }), ...config })
      return [
        {
          kind: 'link',
          about: 'Open this link on the machine of VS Code:',
          text: `vscode:mcp/install?${encodeURIComponent(json).replaceAll("'", '%27')}`,
        },
        { kind: 'line', about: 'Or run this line:', text: formatShellCommand(['code', '--add-mcp', json]) },
      ]
    }
    case 'claude-desktop':
    case 'codex':
    case 'gemini':
    case 'windsurf':
    case 'zed':
    case 'mcp-json':
      return []
  }
}

/** Returns a sentence for each thing that the client cannot have as the source has it. */
function describeGaps(
  server: HiddenServer,
  client: ConnectClient,
  variables: readonly Variable[],
  texts: readonly Text[],
): readonly string[] {
  const { title, syntax, key } = client
  const notes: string[] = []
  const names = (which: readonly Variable[]) => which.map(({ name }) => name).join(', ')
  if (key === 'mcp_servers') {
    const inTexts = listVariables('url' in server ? [server.url] : server.command)
    if (inTexts.length > 0)
      notes.push(
        `Codex fills in no variable of a command or an address: write the value of ${names(inTexts)} there.`,
      )
    const passed = listVariables(listTexts('url' in server ? server.headers : server.env))
    if (passed.length > 0) notes.push(`Set ${names(passed)} in the environment that Codex is started in.`)
    if ('url' in server && server.isOldStream)
      notes.push('Codex does not speak HTTP+SSE: connect it through Toolscope.')
  } else if (syntax === 'none') {
    if (variables.length > 0)
      notes.push(
        `${title} fills in no variables: write the value of ${names(variables)} in place of the \${…}.`,
      )
  } else {
    const inputVariables = syntax === 'inputs' ? variables.filter(({ isAsked }) => isAsked) : []
    const set = variables.filter(variable => !inputVariables.includes(variable))
    if (inputVariables.length > 0)
      notes.push(`${title} asks for ${names(inputVariables)} and keeps the answer as a secret.`)
    if (set.length > 0) notes.push(`Set ${names(set)} in the environment that ${title} is started in.`)
  }
  const losesDefaults = syntax !== 'braces'
  for (const { name, otherwise } of losesDefaults ? variables : [])
    if (otherwise !== undefined)
      notes.push(`${title} has no default values: set ${name}, which is ${otherwise} if it is not set.`)
  if (
    client.replacesDollarNames &&
    texts.flat().some(part => typeof part === 'string' && /\$[A-Za-z_{]/.test(part))
  )
    notes.push(`${title} replaces $NAME in a text if a variable has this name.`)
  if (!('url' in server)) {
    if (server.directory !== undefined && !client.takesDirectory)
      notes.push(`${title} sets no working directory: the server does not start in ${server.directory}.`)
    if (server.envFile !== undefined && !client.takesEnvFile)
      notes.push(`${title} reads no file of variables: add those of ${server.envFile} to "env".`)
  }
  return notes
}
