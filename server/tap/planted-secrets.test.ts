import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { listenOnce } from '../fetch/network.testkit.ts'
import { test } from '../testing/folder-test.ts'
import { readTap, runStreams, tapWords } from './tap.testkit.ts'

/** Returns the secrets of a list that a file contains, as they are or in base64. */
function leaksIn(file: string, secrets: readonly string[]): string[] {
  const text = readFileSync(file, 'utf8')
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([run]) =>
    Buffer.from(run, 'base64').toString(),
  )
  return secrets.filter(secret => [text, ...decoded].some(each => each.includes(secret)))
}

const token = (kind: string, length = 36) => kind + 'Zq8'.repeat(20).slice(0, length)
const jwt = `eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIiOiJhZGEifQ'}.${'c2lnbmF0dXJl'}`

/** Answers `tools/list` with a schema that marks a field; to each other line with the line itself and with stderr. */
const server = `
  const tools = [{ name: 'pay', inputSchema: { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } } }]
  require('readline').createInterface({ input: process.stdin }).on('line', line => {
    let value; try { value = JSON.parse(line) } catch {}
    if (value?.method === 'tools/list') console.log(JSON.stringify({ jsonrpc: '2.0', id: value.id, result: { tools } }))
    else if (value) {
      const text = JSON.stringify(value.params)
      console.log(JSON.stringify({ jsonrpc: '2.0', id: value.id, result: { content: [{ type: 'text', text }], structuredContent: value.params.arguments } }))
      console.log('64 ' + Buffer.from(text).toString('base64'))
      console.error('log', text, process.env.ACME_TOKEN, process.argv.join(' '))
    }
    console.log('echo', line)
  })`

describe('tap recording', () => {
  test('has none of the secrets of a program: variables, options, inputs, results, logs, broken lines', async ({
    folder,
  }) => {
    const inOptions = ['opt-Secret-1234', 'url-Secret-2345', 'head-Secret-3456']
    const inEnvironment = ['env-Secret-4567', 'env-Secret-5678', 'env-Secret-6789']
    const inInput = {
      password: 'in-Secret-7890',
      apiKey: 'in-Secret-8901"\\é',
      nested: { client_secret: 'in-Secret-9012', list: [{ accessToken: 'in-Secret-0123' }] },
      pin: 'in-Secret-1357',
      ssn: 'in-Secret-2468',
      numbers: { token: 918_273_645_546 },
      text: `key ${token('sk-')} and ${token('ghp_')} and ${jwt} and AKIA${'Q'.repeat(16)}`,
      address: 'postgres://ada:in-Secret-3579@db/x?sslkey=1',
      json: '{"secret":"in-Secret-4680"}',
      curl: 'curl -H "Authorization: Bearer in-Secret-5791" https://a.example/?api_key=in-Secret-6802',
    }
    const inBroken = ['bro-Secret-1111', 'bro-Secret-2222']
    const call = (id: number, name: string) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: inInput } })}\n`
    const input = [
      call(2, 'pay'),
      `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"password":"${inBroken[0]}", broken\n`,
      call(4, 'pay'),
      // Not UTF-8, with a secret that is known already.
      Buffer.concat([Buffer.from([0xff]), Buffer.from(`${inInput.password}\n`)]),
      `{"token": "${inBroken[1]}`,
    ].map(line => Buffer.from(line))
    const file = join(folder, 'a.toolrec')
    const words = tapWords(file, '--redact', '/ssn', '--', process.execPath, '-e', server, '--')
    const options = [
      '--token',
      inOptions[0] ?? '',
      `https://ada:${inOptions[1]}@a.example/`,
      `-H`,
      `X-Api-Key: ${inOptions[2]}`,
    ]
    const environment = {
      ACME_TOKEN: inEnvironment[0],
      DATABASE_URL: `postgres://ada:${inEnvironment[1]}@db/x`,
      TOOLSCOPE_TOKEN: inEnvironment[2],
    }
    const list = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
    const run = await runStreams([...words, ...options], [list, 'answer', ...input], environment)
    expect(run.code).toBe(0)
    const secrets = [
      ...inOptions,
      ...inEnvironment,
      ...inBroken,
      inInput.password,
      'in-Secret-8901',
      inInput.nested.client_secret,
      'in-Secret-0123',
      inInput.pin,
      inInput.ssn,
      '918273645546',
      token('sk-'),
      token('ghp_'),
      jwt,
      `AKIA${'Q'.repeat(16)}`,
      ...['in-Secret-3579', 'in-Secret-4680', 'in-Secret-5791', 'in-Secret-6802'],
    ]
    // The streams themselves are unchanged.
    expect(run.stdout.toString('latin1')).toContain(inInput.password)
    expect(run.stderr).toContain(inEnvironment[0])
    expect(leaksIn(file, secrets)).toEqual([])
    const { masked, calls } = await readTap(file)
    expect(masked).toBeGreaterThan(secrets.length)
    expect(calls.map(({ tool }) => tool)).toEqual(['pay', 'pay'])
    expect(JSON.parse(calls[1]?.inputText ?? '').nested.list).toEqual([{ accessToken: '•••' }])
  })

  test('has none of the secrets that a server makes, escapes in another way, or logs by lines', async ({
    folder,
  }) => {
    const lines = ['mii-Secret-aaaaaaaa', 'mii-Secret-bbbbbbbb']
    const key = ['-----BEGIN KEY-----', ...lines, '-----END KEY-----'].join('\n')
    const made = {
      access_token: 'mad-Secret-1234',
      api_keys: ['mad-Secret-2345'],
      'refresh token': 'mad-Secret-3456',
    }
    const slashed = 'sla/Secret-4567'
    const signs = 'sig&Secret<5678>='
    const inBatch = ['bat-Secret-6789', 'bat-1']
    const writer = `
      const write = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
      require('readline').createInterface({ input: process.stdin }).on('line', line => {
        const [message] = [JSON.parse(line)].flat()
        const input = message.params.arguments
        const made = JSON.parse(process.env.MADE)
        write(1, { content: [{ type: 'text', text: Object.values(made).flat().join(' ') }], structuredContent: made })
        console.log('made', Object.values(made).flat().join(' '))
        if (input.key) for (const each of input.key.split('\\n')) console.error(each)
        console.log(JSON.stringify({ path: input.slashed }).replaceAll('/', '\\\\/'))
        const go = sign => '\\\\u00' + sign.charCodeAt(0).toString(16)
        console.log(JSON.stringify({ text: JSON.stringify({ signs: input.signs }).replace(/[&<>=]/g, go) }))
        console.log('ssn', input.ssn)
      })`
    const input = { private_key: key, key, slashed, signs, password: slashed, secret: signs, ssn: inBatch[0] }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: input } }
    const short = { ...call, params: { name: 'a', arguments: { ssn: inBatch[1] } } }
    const file = join(folder, 'a.toolrec')
    const words = tapWords(file, '--redact', '/ssn', '--', process.execPath, '-e', writer)
    const batch = Buffer.from(`${JSON.stringify([call, short])}\n`)
    const { stdout } = await runStreams(words, [batch], { MADE: JSON.stringify(made) })
    expect(stdout.toString()).toContain(made.access_token)
    const secrets = [...lines, ...Object.values(made).flat(), 'Secret-4567', 'Secret', ...inBatch]
    expect(leaksIn(file, secrets)).toEqual([])
  })

  test('has nothing of a message over its limit or nested too deeply if pointers redact, and passes it on', async ({
    folder,
  }) => {
    const file = join(folder, 'a.toolrec')
    const call = (rest: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"ssn":"123-45-6789","d":${rest}}}}\n`
    const deep = call('['.repeat(20_000) + ']'.repeat(20_000))
    const long = call(`"${'x'.repeat(17 * 1024 * 1024)}"`)
    const echo = [process.execPath, '-e', 'process.stdin.pipe(process.stdout)']
    const { stdout, code } = await runStreams(
      tapWords(file, '--redact', '/ssn', '--', ...echo),
      [deep, long].map(text => Buffer.from(text)),
    )
    expect([code, stdout.length]).toEqual([0, deep.length + long.length])
    const { messages } = await readTap(file)
    expect(messages.map(({ text }) => text).sort()).toEqual(['"•••"', '"•••"', '•••', '•••'])
  })

  test('has the paths of the working directory and of files that variables name', async ({ folder }) => {
    const file = join(folder, 'a.toolrec')
    const environment = { PWD: folder, OLDPWD: '/old/folder', ACME_CREDENTIALS: import.meta.filename }
    const paths = [`${folder}/x`, '/old/folder/x', import.meta.filename]
    await runStreams(
      tapWords(file, '--', process.execPath, '-e', 'process.stdin.pipe(process.stdout)'),
      [Buffer.from(`${JSON.stringify({ paths })}\n`)],
      environment,
    )
    const { messages } = await readTap(file)
    expect(JSON.parse(messages[0]?.text ?? '')).toEqual({ paths })
  })

  test('has none of the secrets of an address: query, headers, cookies, sessions, bodies', async ({
    folder,
  }) => {
    const secrets = {
      query: 'qry-Secret-1234',
      bearer: 'hdr-Secret-2345',
      key: 'hdr-Secret-3456',
      cookie: 'coo-Secret-4567',
      setCookie: 'coo-Secret-5678',
      session: 'ses-Secret-6789',
      oldSession: 'ses-Secret-7890',
      body: 'bod-Secret-8901',
      event: 'evt-Secret-9012',
    }
    const listener: RequestListener = (request, response) => {
      response.writeHead(200, {
        'Content-Type': 'text/event-stream',
        'Mcp-Session-Id': secrets.session,
        'Set-Cookie': [`sid=${secrets.setCookie}; HttpOnly`, 'theme=dark'],
      })
      const echo = JSON.stringify({ headers: request.headers, url: request.url, password: secrets.event })
      response.write(`event: endpoint\ndata: /messages?sessionId=${secrets.oldSession}\n\n`)
      response.end(`data: ${echo}\n\ndata: {"text":${JSON.stringify(echo)}}\n\n`)
    }
    const port = await listenOnce(listener, onTestFinished)
    const file = join(folder, 'a.toolrec')
    const address = `http://127.0.0.1:${port}/mcp?api_key=${secrets.query}`
    const [command = '', ...args] = tapWords(file, address, '--listen', '0')
    const tap = spawn(command, args)
    onTestFinished(() => void tap.kill('SIGKILL'))
    let stderr = ''
    for await (const chunk of tap.stderr) {
      stderr += chunk
      if (stderr.includes('ready:')) break
    }
    expect(stderr).not.toContain(secrets.query)
    const [, url = ''] = /ready: (\S+)/.exec(stderr) ?? []
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secrets.bearer}`,
        'X-Api-Key': secrets.key,
        Cookie: `sid=${secrets.cookie}`,
        'Mcp-Session-Id': secrets.session,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'a', arguments: { secret: secrets.body } },
      }),
    })
    expect(await answer.text()).toContain(secrets.bearer)
    tap.kill('SIGTERM')
    await once(tap, 'exit')
    expect(leaksIn(file, Object.values(secrets))).toEqual([])
    expect((await readTap(file)).messages).toHaveLength(5)
  })
})
