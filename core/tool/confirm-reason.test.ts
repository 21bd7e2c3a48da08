import { describe, expect, it } from 'vitest'
import { confirmReason, confirmText } from './confirm-reason.ts'

describe('confirmReason', () => {
  it('follows the rule before the hint', () => {
    expect(confirmReason({ extra: { confirm: true }, annotations: { readOnlyHint: true } })).toBe('rule')
    expect(
      confirmReason({ extra: { confirm: false }, annotations: { destructiveHint: true } }),
    ).toBeUndefined()
  })

  it('follows the hint if there is no rule', () => {
    expect(confirmReason({ annotations: { destructiveHint: true } })).toBe('hint')
    expect(confirmReason({ annotations: { destructiveHint: true, readOnlyHint: true } })).toBe('hint')
    expect(confirmReason({ extra: { confirm: 'yes' } })).toBeUndefined()
    expect(confirmReason({})).toBeUndefined()
  })
})

it('confirmReason: uses a program’s own question with the input filled in, unless a rule decides', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Bash writes it so
  const owner = '${argc_owner}'
  const extra = { guard: `Remove '$argc_path' of ${owner}?` }
  expect(confirmReason({ extra })).toBe('guard')
  expect(confirmReason({ extra: { ...extra, confirm: true } })).toBe('rule')
  expect(confirmReason({ extra: { ...extra, confirm: false } })).toBeUndefined()
  expect(confirmText({ extra }, { path: '/tmp/$argc_owner' })).toContain(
    `Remove '/tmp/$argc_owner' of ${owner}?`,
  )
  expect(confirmText({ extra: { guard: '' } }, {})).toContain('asks before it continues')
  expect(confirmText({}, {})).toBe('')
})
