import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingInput } from '../../core/tool/tool.ts'
import { Catalog } from '../catalog/catalog.ts'
import { createTextSource } from '../recognise/manifest-file.ts'
import { readManifestFile, readReference } from './read-reference.ts'

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-diff-')))
const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
const context = { directory, environment }
const options = { context, signal: new AbortController().signal, scope: 'files' } as const
const list = (name: string) => JSON.stringify({ tools: [{ name, inputSchema: { type: 'object' } }] })
const names = async (reference: string, more = {}) =>
  (await readReference(reference, { ...options, ...more })).side.tools.map(tool => tool.name)

afterAll(() => rmSync(directory, { recursive: true }))

beforeAll(() => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: directory,
      env: environment,
    })
  writeFileSync(join(directory, 'm.json'), list('committed'))
  git('init', '-q')
  git('add', 'm.json')
  git('commit', '-q', '-m', 'first')
  writeFileSync(join(directory, 'm.json'), list('staged'))
  git('add', 'm.json')
  writeFileSync(join(directory, 'm.json'), list('saved'))
})

describe('readReference', () => {
  test('reads a file, or a file in git at a revision or staged', async () => {
    expect(await names('m.json')).toEqual(['saved'])
    expect(await names('git:HEAD:m.json')).toEqual(['committed'])
    expect(await names('git:HEAD:./m.json')).toEqual(['committed'])
    expect(await names('git::0:m.json')).toEqual(['staged'])
  })

  test('rejects a missing file, revision or path in git', async () => {
    for (const reference of [
      'git:HEAD:none.json',
      'git:nowhere:m.json',
      'git:m.json',
      'git:--help:m.json',
      'git:',
    ])
      await expect(readReference(reference, options)).rejects.toMatchObject({ code: 'source-not-found' })
  })

  test('reads an open source, without what the catalog adds to its tools', async () => {
    const catalog = new Catalog(context)
    await catalog.sources.open(createTextSource('kept.json', list('opened')))
    const { side, source } = await readReference('kept', { ...options, catalog })
    expect(source).toBe('kept')
    expect(side.tools).toEqual([{ name: 'opened', inputSchema: { type: 'object' } }])
    await catalog.close()
  })

  test('rejects a stopped source, and says that it is not open', async () => {
    const catalog = new Catalog(context)
    await catalog.sources.open(createTextSource('kept.json', list('opened')))
    await catalog.sources.stop('kept')
    await expect(readReference('kept', { ...options, catalog })).rejects.toThrow('kept is not open')
    await catalog.close()
  })

  test('returns the refs of the tools of an open source, whatever their names', async () => {
    const catalog = new Catalog(context)
    const tools = ['a/b', 'twice', 'twice', '__proto__'].map(name => ({ name, inputSchema: {} }))
    await catalog.sources.open(createTextSource('kept.json', JSON.stringify({ tools })))
    const { refs = {} } = await readReference('kept', { ...options, catalog })
    expect(Object.entries(refs).sort()).toEqual([
      ['__proto__', 'kept/__proto__'],
      ['a/b', 'kept/a/b'],
      ['twice', 'kept/twice'],
    ])
    for (const ref of Object.values(refs)) expect(catalog.tools.has(ref)).toBe(true)
    await catalog.close()
  })

  test('starts a program only when the user asked for that', async () => {
    const program = join(directory, 'tools.mjs')
    writeFileSync(program, `console.log(${JSON.stringify(list('started'))})`)
    await expect(readReference('tools.mjs', options)).rejects.toMatchObject({ code: 'request-invalid' })
    expect(await names('tools.mjs', { scope: 'all' })).toEqual(['started'])
  })
})

test('readManifestFile: says of each tool of a bundle that its input is unknown, so that a diff does not guess', () => {
  const tools = [{ name: 'search' }, { name: 'read', description: 'Reads a file' }, 7]
  const bundle = { manifest_version: '0.3', name: 'files', server: { type: 'node' }, tools }
  const { side } = readManifestFile('manifest.json', JSON.stringify(bundle))
  expect(side.unreadInputs).toEqual([
    ['search', missingInput],
    ['read', missingInput],
  ])
})
