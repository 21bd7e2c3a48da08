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

describe('planted symbolic links', () => {
  test('a saved script that is a link is not read, and is replaced and removed itself', async () => {
    link('toolscope.scripts/nightly.sh', 'profile.sh')
    expect(await readScripts(clone)).toEqual([])
    await writeScript(clone, 'nightly', 'echo a')
    expect(await readScripts(clone)).toEqual([{ name: 'nightly', text: 'echo a\n' }])
    await deleteScript(clone, 'nightly')
    homeIsAsItWas()
  })

  test('a folder of scripts that is a link is neither read, written nor emptied', async () => {
    link('toolscope.scripts')
    expect(await readScripts(clone)).toEqual([])
    await expect(writeScript(clone, 'nightly', 'echo a')).rejects.toThrow('symbolic links are not followed')
    await expect(deleteScript(clone, 'profile')).rejects.toThrow('symbolic links are not followed')
    homeIsAsItWas()
  })

  test('an earlier export whose folder is a link is neither written nor cleaned', async () => {
    link('assets')
    const files = ['assets/profile.sh', 'index.html']
    writeFileSync(join(clone, 'toolscope-export.json'), JSON.stringify({ toolscope: 'export', files }))
    const next = new Map([['index.html', 'page']])
    await expect(writeSite(clone, next, false)).rejects.toMatchObject({ code: 'export-refused' })
    const withAsset = new Map([...next, ['assets/page.js', 'p']])
    await expect(writeSite(clone, withAsset, true)).rejects.toMatchObject({ code: 'export-refused' })
    homeIsAsItWas()
  })

  test('an earlier export whose page is a link is replaced, not written through', async () => {
    link('index.html', 'profile.sh')
    link('toolscope-export.json', 'profile.sh')
    await writeSite(clone, new Map([['index.html', 'page']]), true)
    expect(readFileSync(join(clone, 'index.html'), 'utf8')).toBe('page')
    homeIsAsItWas()
  })
})
