import { describe, expect, it } from 'vitest'
import type { Ending } from '../../../core/tool/invocation.ts'
import { parseExactValue } from './exact-value.ts'
import { findTableRows, formatEnvelope, pickViews } from './pick-viewer.ts'

const json = (value: unknown): Ending => {
  const raw = JSON.stringify(value, null, 2)
  return { content: [{ type: 'text', text: raw }], structuredContent: value, raw: `${raw}\n` }
}

describe('pickViews', () => {
  it('shows JSON as a tree, then raw', () => {
    expect(pickViews(json({ a: 1 }))).toEqual(['tree', 'raw'])
  })
  it('offers a table for a list of objects', () => {
    expect(pickViews(json([{ a: 1 }, { b: 2 }]))).toEqual(['tree', 'table', 'raw'])
    expect(pickViews(json({ total: 2, items: [{ a: 1 }] }))).toEqual(['tree', 'table', 'raw'])
  })
  it('shows text as text', () => {
    expect(pickViews({ content: [{ type: 'text', text: 'hello' }], raw: 'hello' })).toEqual(['text'])
  })
  it('offers Markdown for a text that looks like Markdown', () => {
    expect(pickViews({ content: [{ type: 'text', text: '# Hi\n- a' }] })).toEqual([
      'markdown',
      'text',
      'envelope',
    ])
  })
  it('offers an annotated text as content: before the text, after JSON and Markdown', () => {
    const annotated = (text: string): Ending => ({
      content: [{ type: 'text', text, annotations: { audience: ['user'] } }],
    })
    expect(pickViews(annotated('hello'))).toEqual(['content', 'text', 'envelope'])
    expect(pickViews(annotated('{"a":1}'))).toEqual(['tree', 'content', 'text', 'envelope'])
    expect(pickViews(annotated('# Hi\n- a'))).toEqual(['markdown', 'content', 'text', 'envelope'])
  })
  it('shows an image as content first', () => {
    expect(pickViews({ content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] })).toEqual([
      'content',
      'envelope',
    ])
  })
  it('shows JSON in a text as a tree, and offers the whole answer as an envelope', () => {
    const text = (value: string) => ({ type: 'text' as const, text: value })
    const rows: Ending = { content: [text('[{"id":12345678901234567890}]')], meta: { page: 2 } }
    expect(pickViews(rows)).toEqual(['tree', 'table', 'text', 'envelope'])
    expect(JSON.stringify(parseExactValue(rows))).toContain('12345678901234567890')
    expect(JSON.parse(formatEnvelope(rows))).toEqual({ content: rows.content, _meta: { page: 2 } })
    expect(pickViews({ content: [text('[broken'), text('b')] })).toEqual(['content', 'text', 'envelope'])
  })
  it('offers a text that differs from the structured value', () => {
    const ending: Ending = {
      content: [{ type: 'text', text: 'It is 21 degrees.' }],
      structuredContent: { degrees: 21 },
    }
    expect(pickViews(ending)).toEqual(['tree', 'text', 'envelope'])
  })
  it('shows a text that the structured value only repeats as text first', () => {
    const repeated = (text: string, structuredContent: unknown): Ending => ({
      content: [{ type: 'text', text }],
      structuredContent,
    })
    expect(pickViews(repeated('a\nb', { content: 'a\nb' }))).toEqual(['text', 'tree', 'envelope'])
    expect(pickViews(repeated('# A\n- b', { result: '# A\n- b' }))).toEqual([
      'markdown',
      'tree',
      'text',
      'envelope',
    ])
    expect(pickViews(repeated('a', { content: 'a', more: 1 }))[0]).toBe('tree')
  })
  it('offers the data of a protocol error in the envelope', () => {
    const failure: Ending = { content: [], meta: { error: { retryAfter: 3 } } }
    expect(pickViews(failure)).toEqual(['envelope'])
    expect(formatEnvelope(failure)).toContain('"retryAfter": 3')
  })
  it('shows null and 0 as a tree', () => {
    expect(pickViews(json(null))).toContain('tree')
    expect(pickViews(json(0))).toContain('tree')
  })
  it('returns no view for an empty result', () => {
    expect(pickViews({ content: [] })).toEqual([])
    expect(pickViews({ content: [], raw: '' })).toEqual([])
  })
})

describe('findTableRows', () => {
  it('returns nothing for a value without exactly one list of objects', () => {
    expect(findTableRows([1, 2])).toBeUndefined()
    expect(findTableRows([])).toBeUndefined()
    expect(findTableRows([[1], [2]])).toBeUndefined()
    expect(findTableRows({ a: [{ x: 1 }], b: [{ y: 1 }] })).toBeUndefined()
  })
})
