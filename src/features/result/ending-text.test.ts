import { expect, it } from 'vitest'
import type { ContentBlock, EndedEvent } from '../../../core/tool/invocation.ts'
import { countResultBytes } from './ending-text.ts'

const ended = (content: readonly ContentBlock[], raw?: string): EndedEvent => ({
  type: 'result',
  content,
  ...(raw !== undefined && { raw }),
  validation: { verdict: 'no schema', issues: [] },
  timing: { startedAt: '2026-11-21T18:30:00Z', durationMs: 12 },
})

it('countResultBytes: counts text in UTF-8, and media as bytes, not as base64', () => {
  const data = btoa('x'.repeat(100))
  expect(countResultBytes(ended([{ type: 'image', data, mimeType: 'image/png' }]))).toBe(100)
  expect(
    countResultBytes(ended([{ type: 'image', data, mimeType: 'image/png' }], `[{"data":"${data}"}]`)),
  ).toBe(100)
  expect(countResultBytes(ended([{ type: 'resource', resource: { uri: 'a:b', blob: data } }]))).toBe(100)
  expect(countResultBytes(ended([{ type: 'text', text: 'é' }]))).toBe(2)
  expect(countResultBytes(ended([], '"é"'))).toBe(4)
})

it('countResultBytes: counts links, and blocks next to an exact text', () => {
  const link = { type: 'resource_link', uri: 'demo://resource/1', name: 'first' } as const
  const size = JSON.stringify(link).length
  expect(countResultBytes(ended([{ type: 'text', text: 'abc' }, link, link]))).toBe(3 + 2 * size)
  expect(countResultBytes(ended([link], '1'))).toBe(size)
})
