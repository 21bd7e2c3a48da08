import { expect, test } from 'vitest'
import type { PinList, ReviewItem } from '../../../core/api/pins.ts'
import { defaultPinPolicy } from '../../../core/pin/pin.ts'
import { decideToolState } from './tool-pin.tsx'

const tool = { ref: 'desk/send', source: 'desk' }
const reason = 'its description is not the approved one'
const blocked = [{ ref: tool.ref, class: 'changed-text' as const, reason }]

function list(pin: Partial<PinList['sources'][number]>, more: Partial<PinList> = {}): PinList {
  const source = { source: 'desk', state: 'same' as const, counts: {}, blocked: [], ...pin }
  return { file: '/toolscope.lock.json', policy: defaultPinPolicy, sources: [source], unused: [], ...more }
}
const item = (action: ReviewItem['action'], more: Partial<ReviewItem> = {}): ReviewItem => ({
  kind: 'tool',
  name: 'send',
  ref: tool.ref,
  classes: ['changed-text'],
  action,
  changes: [],
  ...more,
})
const problem = { code: 'pin-unreadable', title: 'It cannot be used', detail: '', hint: '' } as const

test.each<[string, PinList, readonly ReviewItem[], string]>([
  ['a tool that is as approved', list({}), [], 'approved'],
  [
    'a tool next to one that differs',
    list({ state: 'blocked' }),
    [item('ask', { ref: 'desk/other' })],
    'approved',
  ],
  ['a difference that is allowed', list({ state: 'differs' }), [item('allow')], 'allowed'],
  ['a difference that asks', list({ state: 'blocked', blocked }), [item('ask')], 'review'],
  ['a difference that asks, before its review is read', list({ state: 'blocked', blocked }), [], 'review'],
  ['a difference that blocks', list({ state: 'blocked', blocked }), [item('block')], 'blocked'],
  [
    'a server that blocks',
    list({ state: 'blocked', blocked }),
    [item('ask'), item('block', { kind: 'server', name: '' })],
    'blocked',
  ],
  [
    'a class that the policy blocks, before its review is read',
    list({ state: 'blocked', blocked }, { policy: { ...defaultPinPolicy, 'changed-text': 'block' } }),
    [],
    'blocked',
  ],
  ['a lock file that cannot be read', list({ state: 'unread' }, { problem }), [], 'blocked'],
  ['a source without an approval, if none has one', list({ state: 'unpinned' }), [], 'unused'],
  [
    'a source without an approval, if another has one',
    list({ state: 'unpinned' }, { unused: ['x'] }),
    [],
    'unpinned',
  ],
  ['a source that is not listed', { ...list({}), sources: [] }, [], 'unused'],
])('state of a tool: %s', (_, pins, items, expected) => {
  expect(decideToolState(tool, pins, items).state).toBe(expected)
})
