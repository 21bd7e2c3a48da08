import { expect, it } from 'vitest'
import { describeFiles } from './app-files.ts'

const inline = (uri: string, data: object) => ({ type: 'resource', resource: { uri, ...data } })
const link = { type: 'resource_link', uri: 'ui://files/report.csv', name: 'report' }

it('describeFiles: names the files and reads a resource only later', async () => {
  const [text, blob, linked] = describeFiles([
    inline('file:///../sum.txt', { text: 'ä' }),
    inline('file:///a.bin', { blob: 'AQID' }),
    link,
  ])
  expect([text?.line, blob?.line, linked?.line]).toEqual([
    'sum.txt · 2 B',
    'a.bin · 3 B',
    'report.csv · read from the server when you save it',
  ])
  const read: string[] = []
  const readResource = async (uri: string) => {
    read.push(uri)
    return [{ uri, text: 'a,b' }]
  }
  expect(await blob?.read(readResource)).toEqual(Uint8Array.of(1, 2, 3))
  expect(read).toEqual([])
  expect(await linked?.read(readResource)).toBe('a,b')
  expect(read).toEqual(['ui://files/report.csv'])
})

it('describeFiles: refuses more than 20 files, none, and data that is not base64', () => {
  expect(() => describeFiles(Array(21).fill(link))).toThrow('1 to 20 files at once, not 21')
  expect(() => describeFiles([])).toThrow('not 0')
  expect(() => describeFiles([inline('file:///a', { blob: '%' })])).toThrow('cannot be decoded')
  expect(describeFiles(Array(20).fill(link))).toHaveLength(20)
})
