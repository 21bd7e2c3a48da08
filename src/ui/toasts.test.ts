import { beforeEach, describe, expect, it } from 'vitest'
import { countsText, dismissToast, showNotice, showSourceChanged, toasts } from './toasts.ts'

const none = { breaking: 0, dangerous: 0, warning: 0, info: 0 }
const changed = (source: string, counts: Partial<typeof none>, to = `${source}@2`) =>
  showSourceChanged({
    source,
    cause: 'file changed',
    from: `${source}@1`,
    to,
    counts: { ...none, ...counts },
    toolCount: 1,
  })
const texts = () => toasts.get().map(toast => toast.text)

describe('toasts', () => {
  beforeEach(() => toasts.set([]))

  it('name the severities and link to the two sides', () => {
    changed('acme', { breaking: 1, warning: 2 })
    expect(toasts.get()).toMatchObject([
      {
        text: 'acme changed: 1 breaking, 2 warnings',
        tone: 'bad',
        stays: true,
        diff: { a: 'acme@1', b: 'acme@2' },
      },
    ])
    expect(countsText({ ...none, dangerous: 1, info: 3 })).toBe('1 dangerous, 3 info')
  })

  it('do not appear for a change without severity', () => {
    changed('acme', {})
    expect(texts()).toEqual([])
  })

  it('do not appear after a setting of the source was changed', () => {
    showSourceChanged({
      ...{ source: 'acme', cause: 'settings changed', from: 'acme@1', to: 'acme@2', toolCount: 1 },
      counts: { ...none, info: 4 },
    })
    expect(texts()).toEqual([])
  })

  it('drop a harmless toast rather than a breaking one', () => {
    changed('acme', { breaking: 1 })
    for (const source of ['a', 'b', 'c']) changed(source, { info: 1 })
    expect(texts()).toEqual(['acme changed: 1 breaking', 'b changed: 1 info', 'c changed: 1 info'])
  })

  it('appear once when repeated, and disappear when they are dismissed', () => {
    showNotice('broken')
    showNotice('broken')
    expect(texts()).toEqual(['broken'])
    dismissToast(toasts.get()[0]?.id ?? 0)
    expect(texts()).toEqual([])
  })
})
