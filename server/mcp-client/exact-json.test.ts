import { describe, expect, it } from 'vitest'
import { exactBody, mayRound, rememberInput, sendMarked } from './exact-json.ts'

const text = '{"id":98765432109876543210}'

/** What `send` makes of a call with the input above. */
async function sendCall(send: (message: object) => Promise<void>): Promise<void> {
  const input: unknown = JSON.parse(text)
  rememberInput(input, text)
  await sendMarked({ method: 'tools/call', params: { name: 'read', arguments: input } }, send)
}

describe('exact input of a call', () => {
  it('is written as given however often its message is sent', async () => {
    const bodies: string[] = []
    await sendCall(async message => {
      bodies.push(exactBody(JSON.stringify(message)))
      await Promise.resolve()
      bodies.push(exactBody(JSON.stringify(message)))
    })
    const body = `{"method":"tools/call","params":{"name":"read","arguments":${text}}}`
    expect(bodies).toEqual([body, body])
  })

  it('is forgotten after sending, even when sending fails before it is written', async () => {
    let sent = {}
    const failing = sendCall(message => {
      sent = message
      return Promise.reject(new Error('stdin is closed'))
    })
    await expect(failing).rejects.toThrow('stdin is closed')
    expect(exactBody(JSON.stringify(sent))).not.toContain(text)
  })
})

it.each([
  '98765432109876543210',
  '-98765432109876543210',
  '{"at":1e400}',
  '{"at": 1.5E-7}',
  '[0,0.12345678901234567]',
  '[\n9007199254740993]',
])('mayRound: is true for %s', written => {
  expect(mayRound(written)).toBe(true)
})

it.each([
  '{"id":"3e4f1e2b-8d6e-4c1e-9e8a-1e5b7c9d0e2f"}',
  '{"id":"urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6","number":123456789012345}',
  '{"1e5":12,"text":"1234567890123456789"}',
])('mayRound: is false for %s', written => {
  expect(mayRound(written)).toBe(false)
})
