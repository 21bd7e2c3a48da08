import { describe, expect, it } from 'vitest'
import {
  decodeDraft,
  draftKey,
  draftLimits,
  encodeDraft,
  readDraft,
  type TextStorage,
  writeDraft,
} from './use-draft.ts'

/** A storage with a quota in characters, as browsers have. */
function storageOf(quota = Number.POSITIVE_INFINITY): TextStorage & { size(): number; keys(): number } {
  const texts = new Map<string, string>()
  const size = () => [...texts.values()].reduce((sum, text) => sum + text.length, 0)
  return {
    get: key => texts.get(key) ?? null,
    set(key, text) {
      if (size() - (texts.get(key)?.length ?? 0) + text.length > quota) return false
      texts.set(key, text)
      return true
    },
    remove: key => void texts.delete(key),
    size,
    keys: () => texts.size,
  }
}

describe('stored drafts', () => {
  it('return for the same schema, and not for another one', () => {
    const storage = storageOf()
    writeDraft(storage, draftKey('acme/greet', 'aa'), '{"name":"Ada"}')
    expect(readDraft(storage, draftKey('acme/greet', 'aa'))).toBe('{"name":"Ada"}')
    expect(readDraft(storage, draftKey('acme/greet', 'bb'))).toBe('')
  })

  it.each([
    { text: '' },
    { text: '{"a":"•••"}' },
    { text: '{"token":"••••",\n"a":"•••"}', secretMarker: '••••' },
  ])('keep the marker of left-out secrets with the text: %j', content => {
    expect(decodeDraft(encodeDraft(content))).toEqual(content)
  })

  it('have a maximum number, and lose the one that was unused for longest', () => {
    const storage = storageOf()
    for (let i = 0; i < draftLimits.count; i += 1) writeDraft(storage, `k${i}`, 'x')
    writeDraft(storage, 'k0', 'again')
    writeDraft(storage, 'new', 'x')
    expect(readDraft(storage, 'k0')).toBe('again')
    expect(readDraft(storage, 'k1')).toBe('')
    expect(storage.keys()).toBe(draftLimits.count + 1)
  })

  it('make room in a full storage, and do not fail when that is not enough', () => {
    const storage = storageOf(300)
    writeDraft(storage, 'a', 'x'.repeat(100))
    writeDraft(storage, 'b', 'x'.repeat(100))
    writeDraft(storage, 'c', 'x'.repeat(150))
    expect(readDraft(storage, 'a')).toBe('')
    expect(readDraft(storage, 'c')).toHaveLength(150)
    writeDraft(storage, 'd', 'x'.repeat(5000))
    expect(readDraft(storage, 'd')).toBe('')
  })

  it('leave nothing in the storage when they are emptied or too long', () => {
    const storage = storageOf()
    writeDraft(storage, 'a', 'x')
    writeDraft(storage, 'a', '')
    writeDraft(storage, 'b', 'x'.repeat(draftLimits.characters + 1))
    expect(storage.keys()).toBe(1)
    expect(storage.get('toolscope:drafts')).toBe('[]')
  })

  it('survive a damaged index', () => {
    const storage = storageOf()
    storage.set('toolscope:drafts', '{"nonsense":')
    writeDraft(storage, 'a', 'x')
    expect(readDraft(storage, 'a')).toBe('x')
  })
})
