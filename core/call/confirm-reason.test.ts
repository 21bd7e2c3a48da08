import { describe, expect, it } from 'vitest'
import { confirmReason } from './confirm-reason.ts'

describe('asking before a call', () => {
  it('follows the rule before the hint', () => {
    expect(confirmReason({ extra: { confirm: true }, annotations: { readOnlyHint: true } })).toBe('rule')
    expect(
      confirmReason({ extra: { confirm: false }, annotations: { destructiveHint: true } }),
    ).toBeUndefined()
  })

  it('follows the hint where there is no rule', () => {
    expect(confirmReason({ annotations: { destructiveHint: true } })).toBe('hint')
    expect(confirmReason({ annotations: { destructiveHint: true, readOnlyHint: true } })).toBeUndefined()
    expect(confirmReason({ extra: { confirm: 'yes' } })).toBeUndefined()
    expect(confirmReason({})).toBeUndefined()
  })
})
