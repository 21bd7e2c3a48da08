import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeSite } from './site-folder.ts'

let root: string
let site: string
const all = () => readdirSync(site, { recursive: true, encoding: 'utf8' }).sort()
const files = (hash: string) =>
  new Map([
    ['index.html', hash],
    ['assets/page.js', 'p'],
    [`data/${hash}/catalog.js`, 'c'],
  ])

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolscope-site-'))
  site = join(root, 'site')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('writeSite', () => {
  it('replaces an earlier export and keeps other files', async () => {
    await writeSite(site, files('aaa'), false)
    writeFileSync(join(site, 'CNAME'), 'tools.example')
    await writeSite(site, files('bbb'), false)
    expect(readFileSync(join(site, 'index.html'), 'utf8')).toBe('bbb')
    expect(all()).toEqual([
      'CNAME',
      'assets',
      'assets/page.js',
      'data',
      'data/bbb',
      'data/bbb/catalog.js',
      'index.html',
      'toolscope-export.json',
    ])
  })

  it('refuses a folder that contains something else, and a file', async () => {
    mkdirSync(site)
    writeFileSync(join(site, 'index.html'), 'mine')
    await expect(writeSite(site, files('aaa'), false)).rejects.toMatchObject({ code: 'export-refused' })
    expect(readFileSync(join(site, 'index.html'), 'utf8')).toBe('mine')
    writeFileSync(join(root, 'file'), '')
    await expect(writeSite(join(root, 'file'), files('aaa'), true)).rejects.toMatchObject({
      code: 'export-refused',
    })
  })

  it('never removes files outside the folder, even when the earlier list names them', async () => {
    writeFileSync(join(root, 'precious'), '')
    mkdirSync(site)
    const list = { toolscope: 'export', files: ['../precious'] }
    writeFileSync(join(site, 'toolscope-export.json'), JSON.stringify(list))
    await expect(writeSite(site, files('aaa'), false)).rejects.toMatchObject({ code: 'export-refused' })
    await writeSite(site, files('aaa'), true)
    expect(existsSync(join(root, 'precious'))).toBe(true)
  })

  it('keeps the data of the old site when the new one cannot be written', async () => {
    await writeSite(site, files('aaa'), false)
    // The page cannot be put in place: a folder is in its way.
    const broken = new Map([...files('bbb')])
    rmSync(join(site, 'index.html'))
    mkdirSync(join(site, 'index.html', 'x'), { recursive: true })
    await expect(writeSite(site, broken, false)).rejects.toMatchObject({ code: 'export-refused' })
    expect(existsSync(join(site, 'data/aaa/catalog.js'))).toBe(true)
  })
})
