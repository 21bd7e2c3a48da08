import { describe, expect, it } from 'vitest'
import { isSafeLink, looksLikeMarkdown } from './markdown-check.ts'

describe('looksLikeMarkdown', () => {
  it.each([
    '# Title',
    'a\n- b\n- c',
    'use `x`',
    '**bold**',
    '[a](https://b)',
    '```\ncode\n```',
    '~~gone~~',
    '|a|b|\n|-|-|',
    'a | b\n--- | :-:\n1 | 2',
  ])('recognises %j', text => expect(looksLikeMarkdown(text)).toBe(true))
  it.each(['Greet someone politely.', 'a_b_c and 2*3', '{"json": true}'])('does not recognise %j', text =>
    expect(looksLikeMarkdown(text)).toBe(false),
  )
  it('does not recognise text that is costly to parse', () => {
    expect(looksLikeMarkdown(`# x${'y'.repeat(30_000)}`)).toBe(false)
    expect(looksLikeMarkdown('> '.repeat(5000))).toBe(false)
    expect(looksLikeMarkdown(`|${'a|'.repeat(60)}\n|${'-|'.repeat(60)}\n${'a\n'.repeat(9000)}`)).toBe(false)
    expect(looksLikeMarkdown(`# a ${'*a_'.repeat(5000)}`)).toBe(false)
    expect(looksLikeMarkdown(`# a ${'['.repeat(5000)}`)).toBe(false)
  })
})

describe('isSafeLink', () => {
  it('accepts only web and mail addresses', () => {
    expect(isSafeLink('https://example.com')).toBe(true)
    expect(isSafeLink('mailto:a@example.com')).toBe(true)
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:x',
      'data:text/html,x',
      '/api/sources',
      'file:///etc',
      '',
    ])
      expect(isSafeLink(href)).toBe(false)
  })
})
