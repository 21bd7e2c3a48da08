import { afterAll, expect, test } from 'vitest'
import type { DiffAnswer } from '../../core/api/versions.ts'
import { createDiffService } from './diff-service.ts'

const service = createDiffService()
afterAll(() => service.close())

const tool = (name: string, maximum = 9) => ({
  name,
  description: `Does ${name.replaceAll('-', ' ')}.`,
  inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum } } },
})

test('diff service: answers with the changed tools only, under the names of their sides', async () => {
  const a = { label: 'a', side: { tools: [tool('same'), tool('lower'), tool('get-page'), tool('gone')] } }
  const tools = [tool('same'), tool('lower', 5), { ...tool('get-page', 5), name: 'get_page' }]
  const b = { label: 'b', source: 'b', refs: { same: 'b/same', lower: 'b/lower' }, side: { tools } }
  const signal = new AbortController().signal
  const { text } = await service.compare(a, b, { strict: false, rules: {}, signal })
  const answer: DiffAnswer = JSON.parse(text)
  expect(answer.a.side.tools.map(({ name }) => name)).toEqual(['lower', 'get-page', 'gone'])
  expect(answer.b.side.tools.map(({ name }) => name)).toEqual(['lower', 'get_page'])
  expect(answer.b).toMatchObject({ source: 'b', refs: { lower: 'b/lower' } })
  expect(answer.b.refs).not.toHaveProperty('same')
})
