import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { parse as parseToml } from 'smol-toml'
import parseArgv from 'string-argv'
import { expect, test } from 'vitest'
import { maskWords } from '../tool/mask.ts'
import { type ConnectEntry, type ConnectionTexts, canReachAddresses, connectTo } from './connect.ts'
import { type ConnectClientId, connectClientIds, connectClients } from './connect-clients.ts'

type Fields = Record<string, unknown>

/** The secrets in the entries of these tests, by the name of the variable that replaces each. */
const secrets = {
  API_KEY: 's3cret value "1"',
  GITHUB_TOKEN: "s3cret'2\\",
  X_KEY: 's3cret-3',
  AUTHORIZATION: 's3cret-4',
}

/** Replaces the variables of a client, as its documentation says that the client does. */
function fill(text: string, id: ConnectClientId): string {
  const { syntax } = connectClients[id]
  const pattern = {
    inputs: /\$\{input:(\w+)\}/g,
    env: /\$\{env:(\w+)\}/g,
    braces: /\$\{(\w+)\}/g,
    none: /\$\{(\w+)\}/g,
  }
  return text.replace(
    pattern[syntax],
    (whole, name: string) => secrets[name as keyof typeof secrets] ?? whole,
  )
}

const fillAll = (values: unknown, id: ConnectClientId) =>
  Object.fromEntries(Object.entries((values ?? {}) as object).map(([name, value]) => [name, fill(value, id)]))

const named = (names: unknown, prefix = '') =>
  Object.fromEntries(
    Object.entries((names ?? {}) as object).map(([key, name]) => [
      key,
      prefix + secrets[name as keyof typeof secrets],
    ]),
  )

/** Reads an entry of a client's file as the client does. */
function readEntry(fields: Fields, id: ConnectClientId) {
  const { command, args, env, env_vars, url, httpUrl, serverUrl, headers } = fields
  if (command !== undefined) {
    const inherited = Object.fromEntries(((env_vars ?? []) as string[]).map(name => [name, name]))
    return {
      command: [command, ...(args as string[])].map(word => fill(String(word), id)),
      env: { ...fillAll(env, id), ...named(inherited) },
    }
  }
  const { bearer_token_env_var: bearer, http_headers, env_http_headers } = fields
  return {
    url: fill(String(url ?? httpUrl ?? serverUrl), id),
    headers: {
      ...fillAll(headers ?? http_headers, id),
      ...named(env_http_headers),
      ...(bearer === undefined ? {} : named({ Authorization: bearer }, 'Bearer ')),
    },
  }
}

/** Reads each text of a connection by the rules of its format: JSON, TOML, a URL, a POSIX shell. */
function readTexts({ client, texts }: ConnectionTexts): { name: string; server: unknown }[] {
  return texts.map(({ kind, text }) => {
    if (kind === 'file') {
      const parsed = client === 'codex' ? parseToml(text) : JSON.parse(text)
      const [[name, fields] = []] = Object.entries<Fields>(parsed[connectClients[client].key])
      return { name: name ?? '', server: readEntry(fields ?? ({} as Fields), client) }
    }
    if (kind === 'link') {
      const url = new URL(text)
      if (client === 'cursor') {
        const config = Buffer.from(url.searchParams.get('config') ?? '', 'base64').toString()
        return { name: url.searchParams.get('name') ?? '', server: readEntry(JSON.parse(config), client) }
      }
      const { name, ...fields } = JSON.parse(decodeURIComponent(url.search.slice(1)))
      return { name, server: readEntry(fields, client) }
    }
    const words = readShellWords(text)
    if (client === 'vscode') {
      const { name, ...fields } = JSON.parse(words.at(-1) ?? '')
      return { name, server: readEntry(fields, client) }
    }
    return readClaudeWords(words)
  })
}

function readShellWords(line: string): string[] {
  const [program = ''] = line.split(' ')
  const printed = execFileSync('sh', ['-c', `${program}() { printf '%s\\0' "$@"; }; ${line}`], {
    encoding: 'utf8',
  })
  return printed.split('\0').slice(0, -1)
}

/** Reads the words after `claude`: `mcp add [--transport T] NAME …`. */
function readClaudeWords(words: readonly string[]) {
  const isAddress = words[2] === '--transport'
  const [name = '', ...more] = words.slice(isAddress ? 4 : 2)
  const dashes = isAddress ? more.length : more.indexOf('--')
  const options = more.slice(isAddress ? 1 : 0, dashes)
  const pairs = options.flatMap((word, index) => (index % 2 === 1 ? [word] : []))
  const separator = isAddress ? ': ' : '='
  const record = Object.fromEntries(
    pairs.map(pair => [
      pair.slice(0, pair.indexOf(separator)),
      pair.slice(pair.indexOf(separator) + separator.length),
    ]),
  )
  const values = fillAll(record, 'claude-code')
  return {
    name,
    server: isAddress
      ? { url: fill(more[0] ?? '', 'claude-code'), headers: values }
      : { command: more.slice(dashes + 1).map(word => fill(word, 'claude-code')), env: values },
  }
}

const special = fc.constantFrom(
  ' ',
  '"',
  "'",
  '\\',
  '\n',
  '\r\n',
  '\t',
  '$',
  '$(x)',
  '`',
  '%',
  '&',
  '#',
  '=',
  'é',
  '日本',
  '🚀',
  '--',
  ';',
  '\u007f',
  '\u2028',
  '*',
  '!',
)
const texts = fc
  .array(fc.oneof(special, fc.string({ maxLength: 6 }), fc.string({ unit: 'grapheme', maxLength: 3 })), {
    maxLength: 8,
  })
  .map(parts => parts.join('').replaceAll('\0', ''))
  // A text with a secret's shape becomes a variable, and a reference is not literal.
  .filter(text => maskWords(['-', text]).secrets.length === 0 && !/\$\{|•|\p{Surrogate}/u.test(text))
const word = texts.filter(text => !/^--?[A-Za-z]/.test(text) && !text.includes(':') && text !== '__proto__')
const names = word.filter(text => text !== '')
const programs = fc.record({
  command: fc.tuple(names, fc.array(word, { maxLength: 5 })).map(([program, args]) => [program, ...args]),
  env: fc.dictionary(fc.constantFrom('PLACE', 'HOME_DIR', 'mode', 'A1'), texts),
  hasSecret: fc.boolean(),
})
/** Headers are always secret, so each has one value. */
const addresses = fc.record({
  path: fc.webPath(),
  query: fc.webQueryParameters().filter(text => maskWords([`https://h/?${text}`]).secrets.length === 0),
  headers: fc.subarray(['Authorization', 'X-Key', 'Api_Key'] as const),
})
const headerValues = {
  Authorization: `Bearer ${secrets.AUTHORIZATION}`,
  'X-Key': secrets.X_KEY,
  Api_Key: secrets.API_KEY,
}

const expectedName = (name: string, id: ConnectClientId) =>
  id === 'claude-code' || id === 'codex' ? name.replace(/[^\w-]+/g, '-') : name

function expectSame(id: ConnectClientId, name: string, server: ConnectEntry['server']) {
  const connection = connectTo(id, { name, server })
  const all = JSON.stringify(connection)
  for (const secret of Object.values(secrets)) {
    expect(all).not.toContain(secret)
    expect(all).not.toContain(encodeURIComponent(secret))
  }
  expect(connection.texts.length).toBeGreaterThan(0)
  for (const read of readTexts(connection)) expect(read).toEqual({ name: expectedName(name, id), server })
}

test.each(connectClientIds)('connectTo %s: gives the same program in every text', id => {
  fc.assert(
    fc.property(names, programs, (name, { command, env, hasSecret }) => {
      const more = hasSecret ? { GITHUB_TOKEN: secrets.GITHUB_TOKEN } : {}
      const secretWords = hasSecret ? ['--api-key', secrets.API_KEY] : []
      expectSame(id, name, { command: [...command, ...secretWords], env: { ...env, ...more } })
    }),
    { numRuns: id === 'claude-code' || id === 'vscode' ? 60 : 200 },
  )
})

test.each(connectClientIds.filter(canReachAddresses))(
  'connectTo %s: gives the same address in every text',
  id => {
    fc.assert(
      fc.property(names, addresses, (name, { path, query, headers }) => {
        const url = `https://tools.example.com${path}?${query}`
        const record = Object.fromEntries(headers.map(header => [header, headerValues[header]]))
        expectSame(id, name, { url, headers: record })
      }),
      { numRuns: id === 'claude-code' || id === 'vscode' ? 40 : 100 },
    )
  },
)

test.each(connectClientIds)(
  'connectTo %s: through Toolscope, the client fills no secret into an argument',
  id => {
    const headers = { Authorization: `Bearer ${secrets.AUTHORIZATION}`, 'X-Key': '${env:X_KEY:-none}' }
    const { texts } = connectTo(id, { name: 'x', server: { source: ['https://example.com/mcp'], headers } })
    const { text = '' } = texts.find(({ kind }) => kind === 'file') ?? {}
    const parsed = id === 'codex' ? parseToml(text) : JSON.parse(text)
    const [fields = {}] = Object.values<Fields>(parsed[connectClients[id].key])
    const args = fields.args as string[]
    // Tried with their programs: Claude Code 2.1 and Gemini CLI 0.61 fill `${NAME}` into arguments, and leave `${env:NAME}`.
    const { syntax } = connectClients[id]
    const isEnvFilled = syntax === 'inputs' || syntax === 'env'
    expect(args).toContain(`Authorization: Bearer \${${isEnvFilled ? '' : 'env:'}AUTHORIZATION}`)
    expect(args.map(word => fill(word, id))).toEqual(args)
    // Gemini CLI 0.61 takes default values too, and would fill that of `${env:X_KEY:-none}` into an argument.
    if (syntax === 'braces') {
      expect(args).toContain('X-Key: ${env:X_KEY}')
      expect(fields.env).toMatchObject({ X_KEY: '${X_KEY:-none}' })
    }
    const { env } = readEntry(fields, id)
    expect(env).toMatchObject({ AUTHORIZATION: secrets.AUTHORIZATION })
  },
)

test('connectTo gemini: names the transport of 2024 as Gemini CLI does, which takes an address without a type for HTTP', () => {
  const url = 'http://127.0.0.1/sse'
  const [file] = connectTo('gemini', { name: 'x', server: { url, isOldStream: true } }).texts
  // What `gemini mcp add --transport sse x URL` of 0.61 writes.
  expect(JSON.parse(file?.text ?? '').mcpServers).toEqual({ x: { url, type: 'sse' } })
})

test('connectTo: quotes the only word of a source so that Toolscope reads it as one', () => {
  fc.assert(
    fc.property(names, source => {
      const { texts } = connectTo('mcp-json', { name: 'x', server: { source: [source] } })
      const { args } = JSON.parse(texts.at(-1)?.text ?? '').mcpServers.x
      expect(args.slice(0, -1)).toEqual(['mcp'])
      expect(parseArgv(args.at(-1))).toEqual([source])
    }),
    { examples: [[`/it's "here"/tools.json`]] },
  )
})
