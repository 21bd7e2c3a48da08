import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Catalog } from '../../catalog/catalog.ts'
import { createHono } from '../serve-endpoints.ts'
import { consoleRoutes } from './console.ts'

const root = mkdtempSync(join(tmpdir(), 'toolscope-console-'))
const folder = join(root, 'toolscope.scripts')
afterAll(() => rmSync(root, { recursive: true, force: true }))

function app(place: string | null) {
  return createHono().route('/', consoleRoutes(new Catalog({ directory: root, environment: {} }), place))
}
const headers = { 'content-type': 'application/json' }
const put = (name: string, text: string, place: string | null = root) =>
  app(place).request(`/api/scripts/${encodeURIComponent(name)}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ text }),
  })

it('/api/scripts: saves a script as a file, reads it back and deletes it', async () => {
  expect(await (await app(root).request('/api/scripts')).json()).toEqual({
    folder: 'toolscope.scripts',
    scripts: [],
  })
  const answer = await put('nightly-check', 'echo a')
  expect(await answer.json()).toMatchObject({ scripts: [{ name: 'nightly-check', text: 'echo a\n' }] })
  expect(readFileSync(join(folder, 'nightly-check.sh'), 'utf8')).toBe('echo a\n')
  const gone = await app(root).request('/api/scripts/nightly-check', { method: 'DELETE' })
  expect(await gone.json()).toMatchObject({ scripts: [] })
})

it.each(['../outside', '..', '.hidden', 'a/b', 'a\\b', 'x'.repeat(65), 'nul\0', ''])(
  '/api/scripts: refuses the name %j',
  async name => {
    const { status } = await put(name, 'echo no')
    expect([400, 404]).toContain(status)
    expect(existsSync(join(root, 'outside.sh'))).toBe(false)
  },
)

it('/api/scripts: has no folder without a configuration file, and saves nothing', async () => {
  expect(await (await app(null).request('/api/scripts')).json()).toEqual({ folder: null, scripts: [] })
  expect((await put('a', 'echo', null)).status).toBe(400)
})

it('/api/scripts: lists only scripts', async () => {
  await put('one', 'echo 1')
  writeFileSync(join(folder, 'notes.txt'), 'no script')
  writeFileSync(join(folder, 'bad name.sh'), 'no name of ours')
  symlinkSync('/nowhere', join(folder, 'broken.sh'))
  const { scripts } = (await (await app(root).request('/api/scripts')).json()) as {
    scripts: { name: string }[]
  }
  expect(scripts.map(({ name }) => name)).toEqual(['one'])
})
