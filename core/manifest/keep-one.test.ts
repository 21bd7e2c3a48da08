import { describe, expect, test } from 'vitest'
import { keepOneCopy } from './keep-one.ts'
import { ToolListReader } from './read-manifest.ts'

const entry = (name: string, title = 'Title') => ({
  name,
  inputSchema: {
    type: 'object',
    properties: { title: { type: 'string', description: title }, state: { enum: ['open', 'closed'] } },
    required: ['title'],
  },
})

function read(entries: readonly object[], before: ToolListReader['tools'] = []) {
  const reader = new ToolListReader('tools', keepOneCopy(before))
  for (const each of structuredClone(entries)) reader.add(each)
  return reader.tools
}

describe('keepOneCopy: a list that is read again', () => {
  const before = read([entry('a'), entry('b'), entry('c')])

  test('reuses the tools that did not change, wherever they are in the list', () => {
    const after = read([entry('c'), entry('a', 'Other'), entry('b'), entry('d')], before)
    expect(after).toEqual(read([entry('c'), entry('a', 'Other'), entry('b'), entry('d')]))
    expect(after[0]).toBe(before[2])
    expect(after[2]).toBe(before[1])
  })

  test('counts another order of fields as a change', () => {
    const turned = entry('a')
    turned.inputSchema.properties = {
      state: turned.inputSchema.properties.state,
      title: turned.inputSchema.properties.title,
    }
    expect(JSON.stringify(read([turned], before))).toBe(JSON.stringify([turned]))
  })
})

test('keepOneCopy: makes parts that tools share one object', () => {
  const [a, b] = read([entry('a'), entry('b', 'Other')])
  const part = (tool: unknown, name: 'title' | 'state') =>
    (tool as ReturnType<typeof entry>).inputSchema.properties[name]
  expect(part(a, 'state')).toBe(part(b, 'state'))
  expect(part(a, 'title')).not.toBe(part(b, 'title'))
  expect(part(b, 'title')).toEqual({ type: 'string', description: 'Other' })
})

test('keepOneCopy: keeps a member called __proto__', () => {
  const text = '{"name":"a","inputSchema":{"properties":{"__proto__":{"type":"string"}}}}'
  const reader = new ToolListReader('tools', keepOneCopy([]))
  for (let round = 0; round < 2; round++) reader.add(JSON.parse(text))
  expect(JSON.stringify(reader.tools[1])).toBe(text)
})
