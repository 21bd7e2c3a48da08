import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mask } from '../tool/mask.ts'
import { MessageMasker, type MessageMaskerFacts } from './mask-message.ts'
import type { EmittedMessage } from './wire-message.ts'

const sent = (text: string, more: Partial<EmittedMessage> = {}): EmittedMessage => ({
  direction: 'sent',
  part: 'message',
  text,
  ...more,
})
const call = (input: object) =>
  sent(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'login', arguments: input, _meta: { progressToken: 1 } },
    }),
  )

function maskOf(message: EmittedMessage, facts: MessageMaskerFacts = {}) {
  const masker = new MessageMasker(facts)
  masker.note(message)
  return { ...masker.mask(message), masker }
}

describe('message masker', () => {
  test('hides the secrets of the settings in text, headers, arguments, variables and output', () => {
    const secret = 'hunter2-hunter2'
    const { message, masked } = maskOf(
      sent(`{"note":"${secret}"}`, {
        http: { url: `http://a.example/?q=${secret}`, headers: { 'X-Note': secret } },
        run: { argv: ['acme', secret], environment: { NOTE: secret }, output: secret },
      }),
      { secrets: () => [secret] },
    )
    expect(JSON.stringify(message)).not.toContain(secret)
    expect(masked).toBe(6)
  })

  test.each(['Authorization', 'Cookie', 'set-cookie', 'Mcp-Session-Id', 'X-Api-Key'])(
    'hides the header %s, and its value in later messages',
    name => {
      const { message, masker } = maskOf(
        sent('', { http: { headers: { [name]: /cookie/i.test(name) ? 'a=value-123' : 'value-123' } } }),
      )
      expect(message.http?.headers?.[name]).toBe(mask)
      expect(masker.mask(sent('it says value-123')).message.text).not.toContain('value-123')
    },
  )

  test('notes a marked field of a call as the SDK writes it, whose names say nothing', () => {
    const text =
      '{"method":"tools/call","params":{"name":"log in","arguments":{"pin":"x9y8z7"}},"jsonrpc":"2.0","id":1}'
    const inputSchema = () => ({ properties: { pin: { type: 'string', format: 'password' } } })
    expect(
      maskOf(sent(text), { inputSchema }).masker.mask(sent('it says x9y8z7')).message.text,
    ).not.toContain('x9')
    expect(maskOf(sent(text)).masker.mask(sent('it says x9y8z7')).message.text).toContain('x9')
  })

  test('hides a secret field of the input in the request and in the answer', () => {
    const inputSchema = { properties: { pin: { type: 'string', format: 'password' } } }
    const { message, masker } = maskOf(call({ pin: 'x9y8z7', user: 'ada' }), {
      inputSchema: () => inputSchema,
    })
    expect(JSON.parse(message.text).params).toEqual({
      name: 'login',
      arguments: { pin: mask, user: 'ada' },
      _meta: { progressToken: 1 },
    })
    const answer = sent('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"pin x9y8z7"}]}}')
    expect(masker.mask(answer).message.text).toContain(`pin ${mask}`)
  })

  test('hides short secrets, numbers, and members of JSON inside a text of JSON at any depth', () => {
    const inner = JSON.stringify({ password: 'a"b\\', token: 12, page_token: 'p', name: 'ada' })
    const texts = [
      inner,
      JSON.stringify({ text: inner }),
      JSON.stringify({ a: JSON.stringify({ b: inner }) }),
    ]
    for (const text of texts) {
      let value: unknown = JSON.parse(maskOf(sent(text)).message.text)
      for (;;) {
        const [nested] = Object.values(value as object)
        if (typeof nested !== 'string' || !nested.startsWith('{')) break
        value = JSON.parse(nested)
      }
      expect(value).toEqual({ password: mask, token: mask, page_token: 'p', name: 'ada' })
    }
  })

  test('redacts what a pointer names: in the message, in the arguments and in the result', () => {
    const facts = { redact: ['/ssn', '/pin', '/params/arguments/born'] }
    const { message, masker } = maskOf(call({ ssn: '123-45-6789', born: 19_790_101, pin: 12 }), facts)
    expect(message.text).not.toMatch(/123-45|1979|12/)
    const answer = {
      ...sent('{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"ssn":"987-65-4321"}}}'),
    }
    masker.note({ ...answer, direction: 'received' })
    expect(masker.mask(answer).message.text).not.toContain('987')
  })

  test('does not change a message without secrets, and drops bytes only with a secret', () => {
    const plain = sent('{"a":1.10, "tokens": 3,\n"max_tokens":4}', { base64: 'eA==' })
    expect(maskOf(plain)).toMatchObject({ message: plain, masked: 0 })
    expect(maskOf(sent('Bearer abcd1234\ufffd', { base64: 'eA==' })).message.base64).toBeUndefined()
  })

  test('JSON stays JSON, and no planted secret remains', () => {
    const value = fc.stringMatching(/^Zq[\w"\\/ é?&=.:@-]{6,30}$/)
    fc.assert(
      fc.property(value, fc.json(), fc.nat(2), (secret, noise, depth) => {
        let text = JSON.stringify({ noise, secret, echo: secret })
        for (let level = 0; level < depth; level += 1) text = JSON.stringify({ text })
        const { message } = maskOf(sent(text), { secrets: () => [secret] })
        expect(message.text).not.toContain(secret)
        expect(() => JSON.parse(message.text)).not.toThrow()
      }),
    )
  })

  test('a shape that covers a part of the JSON leaves JSON', () => {
    const text = JSON.stringify({ a: 'see http://a.example/?token=abc\\', b: 'x"y' })
    const masked = maskOf(sent(text)).message.text
    expect(JSON.parse(masked)).toMatchObject({ b: 'x"y' })
    expect(masked).not.toContain('abc')
  })

  const received = (text: string, more: Partial<EmittedMessage> = {}): EmittedMessage => ({
    ...sent(text, more),
    direction: 'received',
  })
  const result = (value: object) => received(JSON.stringify({ jsonrpc: '2.0', id: 1, result: value }))

  test('hides the secret of a member in the rest of its message and in later messages, in both directions', () => {
    const inner = JSON.stringify({ client_secret: 'cs"value-2' })
    const answer = result({
      content: [{ type: 'text', text: `you got at-value-1 and cs"value-2; ${inner}` }],
      structuredContent: { access_token: 'at-value-1' },
    })
    const { message, masker } = maskOf(answer)
    expect(message.text).not.toMatch(/value-/)
    expect(masker.mask(received('log at-value-1 cs"value-2')).message.text).toBe('log ••• •••')
    const broken = received('{"refresh_token":"rt-value-3", "a"')
    expect(maskOf(broken).masker.mask(sent('rt-value-3')).message.text).toBe(mask)
  })

  test('hides the texts and numbers of an object or list with the name of a secret', () => {
    const value = {
      api_keys: ['ab', 'cdefgh-12'],
      credentials: { type: 'basic', user: 'ada', pin: 1234, more: { list: [{ id: 7 }, 'last'] } },
      auth: { kind: 'oauth', password: 'pw' },
      'API key': 'x1',
      'db.password': 'x2',
      'Enter the password of your bank': 'Go on',
    }
    const visible = {
      api_keys: [mask, mask],
      credentials: { type: 'basic', user: mask, pin: mask, more: { list: [{ id: 7 }, mask] } },
      auth: { kind: 'oauth', password: mask },
      'API key': mask,
      'db.password': mask,
      'Enter the password of your bank': 'Go on',
    }
    const { message, masker } = maskOf(result(value))
    expect(JSON.parse(message.text).result).toEqual(visible)
    expect(masker.mask(received('cdefgh-12 basic ada last')).message.text).toBe('••• basic ada last')
    const nested = maskOf(result({ text: JSON.stringify(value, null, 1) })).message.text
    expect(JSON.parse(JSON.parse(nested).result.text)).toEqual(visible)
    expect(maskOf(received('{"api_keys": ["ab", {"a": "cd')).message.text).toBe(
      `{"api_keys": ["${mask}", {"a": "${mask}`,
    )
  })

  test('does not change schemas, and does not search words that many texts have', () => {
    const properties = {
      password: { type: 'string', description: 'The password', minLength: 8 },
      credentials: {
        anyOf: [{ type: 'object', properties: { token: { type: 'string' } } }, { type: 'null' }],
      },
    }
    const tools = result({ tools: [{ name: 'a', inputSchema: { type: 'object', properties } }] })
    expect(maskOf(tools)).toMatchObject({ message: tools, masked: 0 })
    const { masker } = maskOf(result({ token: 'bearer', secret: true, passcode: 1234, jwt: 'none' }))
    expect(masker.mask(received('bearer true 1234 none')).message.text).toBe('bearer true 1234 none')
  })

  test('hides a secret in the escapes of other writers of JSON, at any depth', () => {
    const secret = 'a/b&c<d>e=f+é"\\h'
    const escapeSigns = (json: string, pattern: RegExp) =>
      json.replace(pattern, sign => `\\u${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
    const json = JSON.stringify({ text: `x ${secret} y` })
    const texts = [
      json.replaceAll('/', '\\/'),
      escapeSigns(json, /[&<>]/g),
      escapeSigns(json, /[&<>=+'é/]/g),
      json.replace('\\"', '\\u0022').replace('\\\\', '\\u005c'),
    ]
    for (const text of texts)
      for (const each of [
        text,
        JSON.stringify({ text }),
        escapeSigns(JSON.stringify({ text }), /[&<>=+]/g),
      ]) {
        const { message } = maskOf(received(each), { secrets: () => [secret] })
        expect(message.text).toContain(`x ${mask} y`)
        expect(() => JSON.parse(message.text)).not.toThrow()
      }
    const plain = received('{"path":"a\\/b","sign":"\\u0026"}')
    expect(maskOf(plain, { secrets: () => [secret] }).message).toEqual(plain)
    expect(maskOf(received(encodeURI(secret)), { secrets: () => [secret] }).message.text).toBe(mask)
  })

  test('hides each long line of a secret', () => {
    const lines = [
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvQIBADANBgkq',
      'hkiG9w0BAQEFAASC',
      '-----END PRIVATE KEY-----',
    ]
    const { masker } = maskOf(call({ private_key: lines.join('\n') }))
    const visible = lines.map(line => masker.mask(received(line)).message.text)
    expect(visible).toEqual([lines[0], mask, mask, lines[3]])
  })

  test('redacts in each message of a list, and writes no text of JSON that was cut', () => {
    const inputSchema = { properties: { pin: { type: 'string', format: 'password' } } }
    const facts = { redact: ['/ssn'], inputSchema: () => inputSchema }
    const batch = sent(`[${call({ ssn: 12, pin: 'x9y8z7' }).text},${call({ ssn: '123-45-6789' }).text}]`)
    const { message, masker } = maskOf(batch, facts)
    expect(message.text).not.toMatch(/12|x9y8z7/)
    expect(masker.mask(received('123-45-6789')).message.text).toBe(mask)
    const cut = { ...sent(call({ pin: 'x9y8z7', ssn: '123-45-6789' }).text.slice(0, -3)), isCut: true }
    expect(maskOf(cut, facts).message.text).toBe(mask)
    expect(maskOf(cut, { inputSchema: () => inputSchema }).message.text).not.toContain('x9y8z7')
  })

  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('hides the whole text of JSON that is nested too deeply for a pointer: %s', (_kind, open, close) => {
    const deep = `${open.repeat(20_000)}1${close.repeat(20_000)}`
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"ssn":"123-45","d":${deep}}}}`
    expect(maskOf(sent(text), { redact: ['/ssn'] }).message.text).toBe(JSON.stringify(mask))
    expect(maskOf(sent(text), { redact: ['/params'] }).masker.mask(sent('123-45')).message.text).toBe(mask)
  })

  test('a working directory is not a password', () => {
    const run = { environment: { PWD: '/home/ada', DB_PWD: '/home/bob' } }
    const { message, masker } = maskOf(sent('/home/ada/x', { run }))
    expect(message).toMatchObject({
      text: '/home/ada/x',
      run: { environment: { PWD: '/home/ada', DB_PWD: mask } },
    })
    expect(masker.mask(received('/home/bob')).message.text).toBe(mask)
  })

  test('forgets the oldest of many secrets', () => {
    const masker = new MessageMasker()
    for (let at = 0; at < 2_100; at += 1) masker.note(result({ token: `token-${at}-end` }))
    const isHidden = (at: number) => masker.mask(received(`token-${at}-end`)).masked > 0
    expect([isHidden(0), isHidden(1_500), isHidden(2_099)]).toEqual([false, true, true])
  })
})
