import { describe, expect, it } from 'vitest'
import { readSampling } from './question.ts'

const text = (role: string, said: string) => ({ role, content: { type: 'text', text: said } })

describe('readSampling', () => {
  it('shows the conversation and what the server asks of the model, and takes the answer as text', () => {
    const params = {
      systemPrompt: 'Be short.',
      messages: [
        text('user', 'Is it high tide?'),
        text('assistant', 'Where?'),
        { role: 'user', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
      ],
      modelPreferences: { hints: [{ name: 'small' }, { name: 'fast' }] },
      maxTokens: 100,
    }
    expect(readSampling(params, { id: '1', note: 'Two calls run.' })).toMatchObject({
      ok: true,
      question: {
        purpose: 'sampling',
        mode: 'form',
        message:
          'System: Be short.\n\nUser: Is it high tide?\n\nAssistant: Where?\n\nUser: [image/png, 4 characters of base64]',
        note: 'Two calls run. It asks for small or fast, at most 100 tokens.',
        schema: { required: ['text'] },
      },
    })
  })

  it('cuts a long conversation and says so, and refuses one without messages', () => {
    const reading = readSampling({ messages: [text('user', 'x'.repeat(30_000))] }, { id: '1' })
    if (!reading.ok) throw new Error(reading.why)
    expect(reading.question.message).toHaveLength(20_000)
    expect(reading.question.note).toBe('The end of the conversation is left out: 10006 characters.')
    for (const params of [undefined, {}, { messages: [] }, { messages: 'hello' }])
      expect(readSampling(params, { id: '1' }).ok).toBe(false)
  })
})
