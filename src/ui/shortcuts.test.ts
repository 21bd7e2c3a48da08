import { describe, expect, it } from 'vitest'
import { firstOfPair, formatKeys, type KeyPress, matchShortcut, shortcuts } from './shortcuts.ts'

const press = (key: string, changes: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...changes,
})
const free = { typing: false, singleLetters: true }

describe('matchShortcut', () => {
  it('treats Ctrl and ⌘ alike', () => {
    expect(matchShortcut(press('k', { ctrlKey: true }), free)).toBe('palette')
    expect(matchShortcut(press('K', { metaKey: true }), free)).toBe('palette')
    expect(matchShortcut(press('Enter', { metaKey: true }), { ...free, typing: true })).toBe('call')
  })

  it('ignores letters in text fields', () => {
    expect(matchShortcut(press('/'), free)).toBe('search')
    expect(matchShortcut(press('/'), { ...free, typing: true })).toBeUndefined()
    expect(matchShortcut(press('e'), { ...free, typing: true })).toBeUndefined()
  })

  it('ignores single letters, and only those, when they are switched off', () => {
    const off = { typing: false, singleLetters: false }
    expect(matchShortcut(press('j'), off)).toBeUndefined()
    expect(matchShortcut(press('?'), off)).toBeUndefined()
    expect(matchShortcut(press('Escape'), off)).toBe('cancel')
  })

  it('matches two letters one after the other', () => {
    expect(firstOfPair(press('g'), free)).toBe('g')
    expect(firstOfPair(press('g'), { ...free, typing: true })).toBeUndefined()
    expect(firstOfPair(press('g', { ctrlKey: true }), free)).toBeUndefined()
    expect(firstOfPair(press('e'), free)).toBeUndefined()
    expect(matchShortcut(press('d'), { ...free, pendingLetter: 'g' })).toBe('go-diff')
    expect(matchShortcut(press('d'), free)).toBeUndefined()
    expect(matchShortcut(press('j'), { ...free, pendingLetter: 'g' })).toBe('next')
  })

  it('ignores keys with Alt', () => {
    expect(matchShortcut(press('e', { altKey: true }), free)).toBeUndefined()
  })
})

describe('shortcut list', () => {
  it('binds only Escape twice, on different pages', () => {
    const keys = shortcuts.flatMap(shortcut => shortcut.keys as readonly string[])
    expect(keys.filter((key, at) => keys.indexOf(key) < at)).toEqual(['escape'])
    expect(matchShortcut(press('Escape'), free)).toBe('cancel')
    expect(matchShortcut(press('Escape'), { ...free, isHandled: id => id === 'close-message' })).toBe(
      'close-message',
    )
  })

  it('formats every kind of key', () => {
    expect(formatKeys('mod+k', true)).toBe('⌘K')
    expect(formatKeys('mod+enter', false)).toBe('Ctrl ⏎')
    expect(formatKeys('escape', false)).toBe('Esc')
    expect(formatKeys('?', false)).toBe('?')
  })
})
