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
})
