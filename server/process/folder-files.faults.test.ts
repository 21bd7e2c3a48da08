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
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteScript, readScripts, writeScript } from '../calls/saved-scripts.ts'
import { writeSite } from '../export/site-folder.ts'

/** What somebody made for us, and a place of the user that its links lead to. */
let clone: string
let home: string

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'toolscope-links-'))
  clone = join(root, 'clone')
  home = join(root, 'home')
  mkdirSync(clone)
  mkdirSync(home)
  writeFileSync(join(home, 'profile.sh'), 'mine')
})
afterEach(() => rmSync(dirname(clone), { recursive: true, force: true }))

const link = (path: string, target = '') => {
  mkdirSync(dirname(join(clone, path)), { recursive: true })
  symlinkSync(join(home, target), join(clone, path))
}
const homeIsAsItWas = () => {
  expect(readdirSync(home)).toEqual(['profile.sh'])
  expect(readFileSync(join(home, 'profile.sh'), 'utf8')).toBe('mine')
}

describe('planted symbolic link', () => {
  test('is not read as a saved script, and is itself replaced and removed', async () => {
    link('toolscope.scripts/nightly.sh', 'profile.sh')
    expect(await readScripts(clone)).toEqual([])
    await writeScript(clone, 'nightly', 'echo a')
    expect(await readScripts(clone)).toEqual([{ name: 'nightly', text: 'echo a\n' }])
    await deleteScript(clone, 'nightly')
    homeIsAsItWas()
  })

  test('is not followed as the folder of scripts to read, write or delete', async () => {
    link('toolscope.scripts')
    expect(await readScripts(clone)).toEqual([])
    await expect(writeScript(clone, 'nightly', 'echo a')).rejects.toThrow('symbolic links are not followed')
    await expect(deleteScript(clone, 'profile')).rejects.toThrow('symbolic links are not followed')
    homeIsAsItWas()
  })

  test('is not followed as a folder of an earlier export', async () => {
    link('assets')
    const files = ['assets/profile.sh', 'index.html']
    writeFileSync(join(clone, 'toolscope-export.json'), JSON.stringify({ toolscope: 'export', files }))
    const next = new Map([['index.html', 'page']])
    await expect(writeSite(clone, next, false)).rejects.toMatchObject({ code: 'export-refused' })
    const withAsset = new Map([...next, ['assets/page.js', 'p']])
    await expect(writeSite(clone, withAsset, true)).rejects.toMatchObject({ code: 'export-refused' })
    homeIsAsItWas()
  })

  test('is replaced as the page of an earlier export', async () => {
    link('index.html', 'profile.sh')
    link('toolscope-export.json', 'profile.sh')
    await writeSite(clone, new Map([['index.html', 'page']]), true)
    expect(readFileSync(join(clone, 'index.html'), 'utf8')).toBe('page')
    homeIsAsItWas()
  })
})
