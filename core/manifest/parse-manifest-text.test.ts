import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { parseManifestText } from './parse-manifest-text.ts'

const mistake = (text: string) => {
  try {
    parseManifestText(text)
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
    throw thrown
  }
  throw new Error('it was read')
}

test('parseManifestText: reads text, also after a byte order mark', () => {
  expect(parseManifestText('\ufeff{"tools":[{"name":"a","inputSchema":true}]}').tools).toEqual([
    { name: 'a', inputSchema: true },
  ])
})

test('parseManifestText: says where the mistake is and how the text starts', () => {
  expect(mistake('{\n  "tools": [,]\n}')).toMatchObject({
    code: 'manifest-not-json',
    detail: 'Invalid JSON at line 2, column 13 (character 14). It starts with { "tools": [,] }',
  })
  expect(mistake('{\n  "tools": [\n').detail).toMatch(
    /^The JSON breaks off at line 3, column 1 \(character 15\)\. It starts with \{/u,
  )
  expect(mistake('hello').detail).toBe('Not JSON: starts with "hello"')
  const page = `<!DOCTYPE html><title>Not found</title>${'x'.repeat(10_000)}`
  expect(mistake(page).detail).toBe('The text is a web page ("Not found"), not JSON')
  expect(mistake(page).detail.length).toBeLessThan(300)
  expect(mistake('{"tools":[]} // comment').detail).toContain('character 13')
  expect(mistake('<p>\n\n\u001b[2J</p>\n').detail).toMatch(/starts with "<p> \[2J<\/p>"$/u)
  expect(mistake(' \n').detail).toBe('The text is empty')
  expect(() => parseManifestText('', 'zero.json')).toThrow('Couldn’t read the manifest: zero.json is empty')
})

test('parseManifestText: refuses a document nested without end instead of crashing', () => {
  expect(mistake('['.repeat(200_000)).code).toBe('manifest-not-json')
  expect(mistake('['.repeat(200_000) + ']'.repeat(200_000)).code).toBe('manifest-unrecognised')
})

test('parseManifestText: gives a manifest or an AppError for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), text => {
      try {
        parseManifestText(text)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(AppError)
      }
    }),
  )
})
