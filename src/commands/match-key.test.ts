import { describe, expect, it } from 'vitest'
import { commands } from './commands.ts'
import { beginsPair, type KeyPress, matchKey, printKeys } from './match-key.ts'

const press = (key: string, with_: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...with_,
})
const free = { typing: false, singleLetters: true }

describe('matchKey', () => {
  it('takes Ctrl and ⌘ alike', () => {
    expect(matchKey(press('k', { ctrlKey: true }), free)).toBe('palette')
    expect(matchKey(press('K', { metaKey: true }), free)).toBe('palette')
    expect(matchKey(press('Enter', { metaKey: true }), { ...free, typing: true })).toBe('call')
  })

  it('leaves letters to text fields', () => {
    expect(matchKey(press('/'), free)).toBe('search')
    expect(matchKey(press('/'), { ...free, typing: true })).toBeUndefined()
    expect(matchKey(press('e'), { ...free, typing: true })).toBeUndefined()
  })

  it('lets single letters be switched off, and only those', () => {
    const off = { typing: false, singleLetters: false }
    expect(matchKey(press('j'), off)).toBeUndefined()
    expect(matchKey(press('?'), off)).toBeUndefined()
    expect(matchKey(press('Escape'), off)).toBe('cancel')
  })

  it('takes two letters one after the other', () => {
    expect(beginsPair(press('g'), free)).toBe('g')
    expect(beginsPair(press('g'), { ...free, typing: true })).toBeUndefined()
    expect(beginsPair(press('g', { ctrlKey: true }), free)).toBeUndefined()
    expect(beginsPair(press('e'), free)).toBeUndefined()
    expect(matchKey(press('d'), { ...free, before: 'g' })).toBe('go-diff')
    expect(matchKey(press('d'), free)).toBeUndefined()
    expect(matchKey(press('j'), { ...free, before: 'g' })).toBe('next')
  })

  it('leaves Alt to the system', () => {
    expect(matchKey(press('e', { altKey: true }), free)).toBeUndefined()
  })
})

describe('the command list', () => {
  it('gives no key to two commands', () => {
    const keys = commands.flatMap(command => command.keys as readonly string[])
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('can print every key', () => {
    expect(printKeys('mod+k', true)).toBe('⌘K')
    expect(printKeys('mod+enter', false)).toBe('Ctrl ⏎')
    expect(printKeys('escape', false)).toBe('Esc')
    expect(printKeys('?', false)).toBe('?')
  })
})
