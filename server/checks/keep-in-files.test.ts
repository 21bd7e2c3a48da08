import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../core/json/json.ts'
import { keepInFiles, toExampleFileName } from './keep-in-files.ts'

const key = { source: 'acme', tool: 'api greet' }
let directory: string
const put = (path: string, text: string) => {
  const full = join(directory, 'toolscope.examples', path)
  mkdirSync(join(full, '..'), { recursive: true })
  writeFileSync(full, text)
}
const all = () => readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolscope-examples-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('examples in files', () => {
  it('are saved, listed by name, replaced and removed', async () => {
    const keeper = keepInFiles(directory)
    await keeper.save(key, { name: 'greets Ada', input: { name: 'Ada' } })
    await keeper.save(key, { name: 'a first', input: {}, note: 'why' })
    const saved = await keeper.save(key, { name: 'greets Ada', input: { name: 'Lovelace' } })
    expect(saved.file).toBe('toolscope.examples/acme/api greet/greets-ada.json')
    const { examples, problems } = await keeper.list(key)
    expect([examples.map(each => each.name), problems]).toEqual([['a first', 'greets Ada'], []])
    expect(examples[1]?.text).toContain('Lovelace')
    await keeper.remove(key, 'a first')
    await keeper.remove(key, 'greets Ada')
    expect(all()).toEqual(['toolscope.examples', 'toolscope.examples/acme'])
  })

  it('move with a renamed source, but not into the folder of another source', async () => {
    const keeper = keepInFiles(directory)
    put('taken/api greet/theirs.json', '{"input": 1}')
    mkdirSync(join(directory, 'toolscope.examples/shop'))
    await keeper.save(key, { name: 'greets Ada', input: {} })
    await keeper.renameSource('acme', 'taken')
    await keeper.renameSource('nobody', 'next')
    expect((await keeper.list(key)).examples).toHaveLength(1)
    await keeper.renameSource('acme', 'shop')
    expect((await keeper.list(key)).examples).toEqual([])
    expect((await keeper.list({ ...key, source: 'shop' })).examples[0]?.name).toBe('greets Ada')
  })

  it('are not moved over a symbolic link', async () => {
    const keeper = keepInFiles(directory)
    await keeper.save(key, { name: 'greets Ada', input: {} })
    symlinkSync(tmpdir(), join(directory, 'toolscope.examples/elsewhere'))
    await expect(keeper.renameSource('acme', 'elsewhere')).rejects.toThrow('symbolic link')
    expect((await keeper.list(key)).examples).toHaveLength(1)
  })

  it('are read again after changes on disk, also under a file name that the user chose', async () => {
    const keeper = keepInFiles(directory)
    put('acme/api greet/By Hand.json', '{"name":"mine","input":{"n":1.50}}')
    expect((await keeper.list(key)).examples[0]?.text).toContain('1.50')
    await keeper.save(key, { name: 'mine', input: { n: 2 } })
    expect(all().filter(path => path.endsWith('.json'))).toEqual([
      'toolscope.examples/acme/api greet/By Hand.json',
    ])
  })

  it('name a broken file by its path and keep the others', async () => {
    put('acme/api greet/good.json', '{"name":"good","input":{}}')
    put('acme/api greet/half.json', '{"name":"half",')
    put('acme/api greet/twin.json', '{"name":"good","input":{}}')
    put('acme/api greet/notes.txt', 'not mine')
    symlinkSync('/etc/hostname', join(directory, 'toolscope.examples/acme/api greet/link.json'))
    const { examples, problems } = await keepInFiles(directory).list(key)
    expect(examples.map(each => each.name)).toEqual(['good'])
    expect(problems).toEqual([
      {
        file: 'toolscope.examples/acme/api greet/half.json',
        message: expect.stringContaining('not valid JSON'),
      },
      {
        file: 'toolscope.examples/acme/api greet/link.json',
        message: expect.stringContaining('symbolic link'),
      },
      {
        file: 'toolscope.examples/acme/api greet/twin.json',
        message: 'good.json has the name "good" as well',
      },
    ])
  })

  it('do not follow a symbolic link of a folder', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'toolscope-elsewhere-'))
    mkdirSync(join(directory, 'toolscope.examples'))
    symlinkSync(elsewhere, join(directory, 'toolscope.examples/acme'))
    const keeper = keepInFiles(directory)
    await expect(keeper.list(key)).rejects.toMatchObject({ code: 'files-failed' })
    await expect(keeper.save(key, { name: 'x', input: {} })).rejects.toMatchObject({
      code: 'files-failed',
    })
    expect(readdirSync(elsewhere, { recursive: true })).toEqual([])
    rmSync(elsewhere, { recursive: true })
  })

  it('stay inside their folder, however the tool and the example are named', async () => {
    const keeper = keepInFiles(directory)
    const hostile = ['../../../out', '..', 'CON', 'a\u0000b', '/etc/x', 'C:\\x', '']
    for (const name of hostile)
      await keeper.save({ source: name, tool: name }, { name: `../${name}`, input: name as Json })
    expect(all().every(path => path.startsWith('toolscope.examples'))).toBe(true)
    for (const name of hostile)
      expect((await keeper.list({ source: name, tool: name })).examples).toHaveLength(1)
  })

  it('leave the existing file in place when a save fails', async () => {
    put('acme/api greet', 'a file where a folder is wanted')
    await expect(keepInFiles(directory).save(key, { name: 'x', input: {} })).rejects.toMatchObject({
      code: 'files-failed',
    })
    expect(readFileSync(join(directory, 'toolscope.examples/acme/api greet'), 'utf8')).toContain('wanted')
  })

  it('report tools that no longer exist', async () => {
    const keeper = keepInFiles(directory)
    await keeper.save(key, { name: 'x', input: {} })
    await keeper.save({ source: 'acme', tool: 'gone' }, { name: 'x', input: {} })
    expect(await keeper.strays(['acme', 'other'], [key])).toEqual([
      { file: 'toolscope.examples/acme/gone', message: 'acme has no such tool' },
    ])
  })
})

describe('toFileName', () => {
  it.each(['get_user', 'api greet', 'v1.list', 'a', 'x'.repeat(80)])('keeps %s', name =>
    expect(toExampleFileName(name)).toBe(name),
  )

  it.each([
    '..',
    '.',
    '../../etc/passwd',
    'a/b',
    'a\\b',
    'CON',
    'nul.txt',
    'com1',
    'getUser',
    'ends.',
    'ends ',
    ' begins',
    '.git',
    'a:b',
    'a\u0000b',
    'é',
    '',
    '~',
    'toString',
    '__proto__ ',
    'x'.repeat(5_000),
    '\ud800',
  ])('marks %j with a hash', name => expect(toExampleFileName(name)).toMatch(/^[A-Za-z0-9_-]*~[0-9a-f]{10}$/))

  it('gives every name a different file name, even on systems that ignore case', () => {
    const names = ['getuser', 'getUser', 'GETUSER', 'GetUser', 'api/greet', 'api greet', 'api-greet']
    expect(new Set(names.map(name => toExampleFileName(name).toLowerCase())).size).toBe(names.length)
  })

  it('gives names that stay in their folder and are never reserved', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), name => {
        const file = toExampleFileName(name)
        expect(file).toMatch(/^[A-Za-z0-9_~][A-Za-z0-9_~. -]{0,98}$/)
        expect(file).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|[. ]$/i)
      }),
    )
  })
})
