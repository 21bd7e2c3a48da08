import { describe, expect, it } from 'vitest'
import { base64Size, decodeBase64, isAudioType, isImageType, toResourceFileName } from './media.ts'

describe('result media', () => {
  it('makes a file name from any address', () => {
    expect(toResourceFileName('demo://resource/session/notes.txt.gz?x=/y')).toBe('notes.txt.gz')
    for (const uri of ['', 'a/', 'file:///..', '...']) expect(toResourceFileName(uri)).toBe('resource')
    expect(toResourceFileName('x:/a/b c\u202etxt.exe')).toBe('b-c-txt.exe')
  })
  it('counts the bytes of base64', () => {
    for (const text of ['', 'a', 'ab', 'abc', 'abcd']) expect(base64Size(btoa(text))).toBe(text.length)
  })
  it('decodes base64, and returns nothing for other text', () => {
    expect([...(decodeBase64('AAH/') ?? [])]).toEqual([0, 1, 255])
    expect(decodeBase64('not base64!')).toBeUndefined()
  })
  it('accepts only types that it can show', () => {
    expect(isImageType('image/png')).toBe(true)
    expect(isImageType('text/html')).toBe(false)
    expect(isImageType('image/png;x=<script>')).toBe(false)
    expect(isAudioType('audio/wav')).toBe(true)
  })
})
