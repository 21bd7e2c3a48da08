import { describe, expect, it } from 'vitest'
import { base64Size, decodeBase64, isAudioType, isImageType, toFileName } from './media.ts'

describe('media', () => {
  it('makes a file name of any address', () => {
    expect(toFileName('demo://resource/session/notes.txt.gz?x=/y')).toBe('notes.txt.gz')
    for (const uri of ['', 'a/', 'file:///..', '...']) expect(toFileName(uri)).toBe('resource')
    expect(toFileName('x:/a/b c\u202etxt.exe')).toBe('b-c-txt.exe')
  })
  it('counts the bytes of base64', () => {
    for (const text of ['', 'a', 'ab', 'abc', 'abcd']) expect(base64Size(btoa(text))).toBe(text.length)
  })
  it('reads bytes, and says when there are none', () => {
    expect([...(decodeBase64('AAH/') ?? [])]).toEqual([0, 1, 255])
    expect(decodeBase64('not base64!')).toBeUndefined()
  })
  it('takes only types it can show', () => {
    expect(isImageType('image/png')).toBe(true)
    expect(isImageType('text/html')).toBe(false)
    expect(isImageType('image/png;x=<script>')).toBe(false)
    expect(isAudioType('audio/wav')).toBe(true)
  })
})
