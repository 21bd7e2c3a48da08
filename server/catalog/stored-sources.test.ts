/** Sources of the page over real programs and both databases: kept, changed, removed, saved, and there again after a restart. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { confirmReason } from '../../core/tool/confirm-reason.ts'
import { project } from '../../scripts/project.mjs'
import { acme } from '../../scripts/toolscope-program.ts'
import { loadConfig } from '../config/config.ts'
import { configWriter } from '../config/save-source.ts'
import { Trust } from '../config/trust.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import { databases, type TestDatabase } from '../store/testkit.ts'
import { Catalog } from './catalog.ts'
import { StoredSources } from './stored-sources.ts'

const secret = 'literal-password-of-the-user'

describe.each(databases)('stored sources on $dialect', ({ create }) => {
  let database: TestDatabase
  let folder: string
  const opened: Catalog[] = []
  const said: string[] = []
  beforeEach(async () => {
    database = await create()
    folder = mkdtempSync(join(tmpdir(), 'toolscope-kept-'))
    said.length = 0
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(catalog => catalog.close()))
    await database.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** As Toolscope starts: what is kept is in the list when it resolves. */
  async function start(directory = folder) {
    const environment = { ...process.env, ...database.environment, FROM_OUTSIDE: 'outside' }
    const context = { directory, environment }
    const catalog = new Catalog(context)
    opened.push(catalog)
    const say = (line: string) => void said.push(line)
    const path = existsSync(join(directory, 'toolscope.json')) ? join(directory, 'toolscope.json') : null
    const trust = new Trust(path, { environment, say }, false)
    const config = configWriter({ path, trust }, directory, { environment, say })
    const store = await database.open()
    const kept = new StoredSources({ sources: catalog.sources, store, context, say, config })
    await kept.load()
    const list = () => catalog.sources.list().map(({ name, status }) => `${name} ${status}`)
    return { catalog, sources: catalog.sources, kept, list, store, environment }
  }
  const line = `node ${acme}`
  const tools = JSON.stringify({ tools: [{ name: 'look', inputSchema: { type: 'object' } }] })

  test('are named as their package or their server names itself, if the file or the address says nothing', async () => {
    const { kept, list } = await start()
    const other = await start()
    const memory = project('node_modules/@modelcontextprotocol/server-memory/dist/index.js')
    expect((await kept.add({ entry: { line: `mcp:node ${memory}` } })).name).toBe('server-memory')
    const server = spawn(process.execPath, [project('server/sources/fixtures/mcp-quirks-new.mjs'), '--http'])
    onTestFinished(() => void server.kill('SIGKILL'))
    const [heading] = await once(server.stdout, 'data')
    const line = `127.0.0.1:${/listening (\d+)/.exec(String(heading))?.[1]}/mcp`
    expect((await kept.add({ entry: { line } })).name).toBe('quirks-new')
    expect((await kept.add({ entry: { line, timeoutMs: 1_000 } })).name).toBe('quirks-new-2')
    expect(kept.entryOf('quirks-new')).toEqual({ url: line })
    expect(list()).toEqual(['server-memory ready', 'quirks-new ready', 'quirks-new-2 ready'])
    expect((await other.kept.add({ entry: { line } })).name).toBe('quirks-new-3')
    expect(said).toEqual([])
  })

  test('are open, stopped and renamed as before after a restart; removed ones stay removed', async () => {
    const first = await start()
    await first.kept.add({ entry: { line }, name: 'shop' })
    await first.kept.add({ entry: { text: tools }, name: 'pasted' })
    await first.kept.add({ entry: { text: tools.replace('look', 'other') }, name: 'gone' })
    await first.kept.change('shop', { name: 'front' })
    await first.sources.stop('pasted')
    await first.kept.keep('pasted')
    await first.sources.remove('gone')
    await first.kept.keep('gone')
    const second = await start()
    expect(second.list()).toEqual(['front ready', 'pasted stopped'])
    expect(second.sources.list()[0]).toMatchObject({ origin: { from: 'page' }, formerNames: ['shop'] })
    expect(second.catalog.tools.has('front/api greet')).toBe(true)
    await second.sources.restart('pasted')
    expect(second.catalog.tools.has('pasted/look')).toBe(true)
    await second.sources.remove('pasted')
    await second.kept.keep('pasted')
    expect(second.sources.listRemoved()).toMatchObject([{ name: 'pasted' }])
    await second.sources.restore('pasted')
    await second.kept.keep('pasted')
    expect((await start()).list()).toEqual(['front ready', 'pasted ready'])
    const elsewhere = mkdtempSync(join(tmpdir(), 'toolscope-kept-'))
    expect((await start(elsewhere)).list()).toEqual([])
    rmSync(elsewhere, { recursive: true })
    expect(said).toEqual([])
  })

  test('stored sources: a row that could not be written or deleted is there again, and is not lost', async () => {
    const { kept, sources, store } = await start()
    await kept.add({ entry: { text: tools }, name: 'shop' })
    const name = async (from: string, to: string) => {
      await store.database().schema.alterTable(from).renameTo(to).execute()
    }
    const broken = async (act: () => Promise<unknown>) => {
      await name('sources', 'away')
      await act().catch(() => {})
      await name('away', 'sources')
    }
    await broken(() => kept.change('shop', { name: 'front' }))
    expect(said.splice(0)).toEqual([expect.stringContaining('"front" holds until Toolscope ends')])
    expect((await start()).list()).toEqual(['shop ready'])
    await kept.change('front', { name: 'shop' })
    await sources.remove('shop')
    await broken(() => kept.keep('shop'))
    expect(said.splice(0)).toEqual([expect.stringContaining('"shop" holds until Toolscope ends')])
    expect((await start()).list()).toEqual(['shop ready'])
    await kept.keep('shop')
    expect((await start()).list()).toEqual([])
  })

  test('stored sources: a new entry is kept even if its new name was taken while it was opened', async () => {
    const { kept, sources } = await start()
    await kept.add({ entry: { text: tools }, name: 'shop' })
    const text = tools.replace('look', 'changed')
    const changing = kept.change('shop', { entry: { text }, name: 'front' })
    const front = sources.add(configuredSource({ manifest: 'missing.json' }, { name: 'front' }, {}))
    await expect(changing).rejects.toMatchObject({ code: 'name-taken' })
    await front
    const next = await start()
    expect(next.list()).toEqual(['shop ready'])
    expect(next.catalog.tools.has('shop/changed')).toBe(true)
  })

  test('do not change when a new entry cannot be opened, and refuse known sources and taken names', async () => {
    const { kept, sources, list, catalog } = await start()
    await kept.add({ entry: { line }, name: 'shop' })
    await expect(kept.change('shop', { entry: { line: 'node -e process.exit(3)' } })).rejects.toMatchObject({
      code: 'source-failed',
    })
    expect(list()).toEqual(['shop ready'])
    expect(kept.entryOf('shop')).toEqual({ line })
    await expect(kept.add({ entry: { line }, name: 'again' })).rejects.toMatchObject({ code: 'source-known' })
    await kept.add({ entry: { text: tools }, name: 'second' })
    await expect(kept.add({ entry: { text: `${tools} ` }, name: 'second' })).rejects.toMatchObject({
      code: 'name-taken',
    })
    await expect(kept.change('second', { name: 'shop' })).rejects.toMatchObject({ code: 'name-taken' })
    await kept.change('shop', { entry: { line, environment: { COLOUR: 'red' } }, name: 'third' })
    expect(list()).toEqual(['third ready', 'second ready'])
    expect(catalog.tools.has('third/api greet')).toBe(true)
    expect(catalog.tools.has('shop/api greet')).toBe(false)
    const probed = await kept.probe({ entry: { line: `node ${project('examples/acme/acme.mjs')} api` } })
    expect(probed).toMatchObject({ kind: 'llms-program', status: 'ready' })
    expect(sources.list()).toHaveLength(2)
  })

  test('keep the settings of calls, which apply without opening the source again', async () => {
    const first = await start()
    const wipe = JSON.stringify({
      tools: [{ name: 'wipe', inputSchema: {}, annotations: { destructiveHint: true } }],
    })
    await first.kept.add({ entry: { text: wipe }, name: 'shop' })
    const { session } = first.sources.get('shop')
    const reasons = ({ catalog }: typeof first) => catalog.tools.list().map(tool => confirmReason(tool))
    expect(reasons(first)).toEqual(['hint'])
    const settings = { timeoutMs: 300_000, askBeforeDestructive: 'never' } as const
    expect(await first.sources.setCallSettings('shop', settings)).toMatchObject({ callSettings: settings })
    await first.kept.keep('shop')
    expect(reasons(first)).toEqual([undefined])
    expect(first.sources.get('shop').session).toBe(session)
    expect(first.catalog.callTarget('shop/wipe')).toMatchObject({ timeoutMs: 300_000 })
    const second = await start()
    expect(second.sources.list()).toMatchObject([{ callSettings: settings }])
    expect(reasons(second)).toEqual([undefined])
    expect(await second.sources.setCallSettings('shop', {})).not.toHaveProperty('callSettings')
    expect(reasons(second)).toEqual(['hint'])
  })

  test('are opened again if their server learns of a setting only then', async () => {
    const { kept, sources } = await start()
    const memory = project('node_modules/@modelcontextprotocol/server-memory/dist/index.js')
    const { name } = await kept.add({ entry: { line: `mcp:node ${memory}` } })
    const error = { detail: expect.stringContaining('does not speak the modern era') }
    expect(await sources.setCallSettings(name, { era: 'modern' })).toMatchObject({
      status: 'degraded',
      error,
    })
    expect(await sources.setCallSettings(name, { era: 'legacy' })).toMatchObject({ status: 'ready' })
  })

  test('store no secret in clear, show it masked, and pass it to the program', async () => {
    const { kept, sources, store } = await start()
    const program = join(folder, 'tells.mjs')
    writeFileSync(
      program,
      `const { API_KEY, OUTSIDE } = process.env
       console.log(JSON.stringify({ tools: [{ name: API_KEY === '${secret}' && OUTSIDE === 'outside' ? 'both' : 'neither' }] }))`,
    )
    const environment = { API_KEY: secret, OUTSIDE: `\${env:FROM_OUTSIDE}` }
    await kept.add({ entry: { line: 'node tells.mjs', environment, directory: folder }, name: 'tells' })
    expect(sources.find('tells')?.manifest?.tools.map(tool => tool.name)).toEqual(['both'])
    const masked = kept.entryOf('tells')
    expect(masked.environment).toEqual({ API_KEY: '•••', OUTSIDE: `\${env:FROM_OUTSIDE}` })
    await kept.change('tells', { entry: { ...masked, timeoutMs: 5_000 } })
    expect(sources.find('tells')?.manifest?.tools.map(tool => tool.name)).toEqual(['both'])
    await expect(
      kept.change('tells', { entry: { ...masked, environment: { OTHER: '•••' } } }),
    ).rejects.toMatchObject({ code: 'request-invalid' })
    const rows = await store.database().selectFrom('sources').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret)
    // Whoever writes to the database alone cannot have Toolscope start a program.
    await store.database().updateTable('sources').set({ id: 'planted' }).execute()
    expect((await start()).list()).toEqual([])
    await expect(
      kept.add({ entry: { line: 'node tells.mjs', environment: { A: `\${env:NOT_SET}` } } }),
    ).rejects.toThrow(/NOT_SET.* has no value/)
  })

  test('stored sources: two programs on one store never overwrite each other, and say what is not kept', async () => {
    const text = (name: string) => tools.replace('look', name)
    const here = await start()
    await here.kept.add({ entry: { text: text('shared') }, name: 'shared' })
    const there = await start()
    await here.kept.add({ entry: { text: text('here') }, name: 'shop' })
    await expect(there.kept.add({ entry: { text: text('there') }, name: 'shop' })).rejects.toMatchObject({
      code: 'name-taken',
      detail: expect.stringContaining('another Toolscope'),
    })
    await there.kept.add({ entry: { text: text('there') }, name: 'shop', isProposed: true })
    await there.kept.addAll([{ entry: { text: text('group') }, name: 'shop' }])
    expect(there.list()).toEqual(['shared ready', 'shop-2 ready', 'shop-3 ready'])
    await expect(there.kept.change('shared', { name: 'shop' })).rejects.toMatchObject({ code: 'name-taken' })
    expect(said).toEqual([])
    await here.kept.change('shared', { entry: { text: text('changed') } })
    await there.sources.stop('shared')
    await there.kept.keep('shared')
    expect(said).toEqual([
      expect.stringMatching(/"shared" holds until .*: another Toolscope .* changed or removed it/),
    ])
    await there.sources.remove('shared')
    await there.kept.keep('shared')
    expect(said).toHaveLength(2)
    const next = await start()
    expect(next.list()).toEqual(['shared ready', 'shop ready', 'shop-2 ready', 'shop-3 ready'])
    expect(next.catalog.tools.has('shared/changed')).toBe(true)
    expect(next.catalog.tools.has('shop/here')).toBe(true)
    await here.sources.remove('shop')
    await here.kept.keep('shop')
    await there.kept.add({ entry: { text: text('again') }, name: 'shop' })
    expect((await start()).catalog.tools.has('shop/again')).toBe(true)
    expect(said).toHaveLength(2)
  })

  test('stored sources: of two programs that add one name at once, only one keeps it', async () => {
    const programs = await Promise.all([start(), start()])
    const added = await Promise.allSettled(
      programs.map(({ kept }, at) =>
        kept.add({ entry: { text: tools.replace('look', `look${at}`) }, name: 'shop' }),
      ),
    )
    const refused = added.filter(({ status }) => status === 'rejected')
    expect(refused.length + said.length).toBe(1)
    const next = await start()
    expect(next.list()).toEqual(['shop ready'])
  })

  test('stored sources: a missing key is named, the rows stay, and a source in the list says so', async () => {
    const first = await start()
    await first.kept.add({ entry: { text: tools }, name: 'shop' })
    const key = join(database.directory, 'secret.key')
    const rows = () => first.store.database().selectFrom('sources').selectAll().execute()
    const before = await rows()
    renameSync(key, `${key}.away`)
    const second = await start()
    // Other users of a PostgreSQL have keys of their own.
    const isOwn = first.store.dialect === 'sqlite'
    expect(second.list()).toEqual(isOwn ? ['kept-sources failed'] : [])
    if (isOwn) {
      expect(said).toEqual([expect.stringContaining(`the key ${key} is missing`)])
      expect(second.sources.list()[0]?.error).toMatchObject({
        code: 'key-failed',
        hint: expect.stringContaining('Restore it from a backup'),
      })
    }
    expect(existsSync(key)).toBe(false)
    if (isOwn) {
      await second.kept.add({ entry: { text: tools }, name: 'early' })
      expect(said.slice(1)).toEqual([expect.stringMatching(/"early" holds until .* is missing/)])
      expect(existsSync(key)).toBe(false)
    }
    expect(await rows()).toEqual(before)
    renameSync(`${key}.away`, key)
    if (isOwn) {
      await second.kept.keep('early')
      expect(await rows()).toHaveLength(2)
      await second.sources.remove('early')
      await second.kept.keep('early')
    }
    expect((await start()).list()).toEqual(['shop ready'])
    said.length = 0
    chmodSync(key, 0o644)
    const third = await start()
    expect(third.list()).toEqual(isOwn ? ['kept-sources failed'] : [])
    expect(said).toEqual([expect.stringContaining('chmod 600')])
    await third.kept.add({ entry: { text: tools }, name: 'now' })
    expect(third.list()).toContain('now ready')
    expect(said.slice(1)).toEqual([expect.stringMatching(/"now" holds until Toolscope ends: .*chmod 600/)])
    expect(await rows()).toEqual(before)
  })

  test('stored sources: a mask is not the secret of another command or folder, and the error says so', async () => {
    const { kept } = await start()
    const program = join(folder, 'tells.mjs')
    const received = join(folder, 'received')
    writeFileSync(
      program,
      `import { appendFileSync } from 'node:fs'
       appendFileSync(${JSON.stringify(received)}, process.argv.slice(2) + ' ' + process.env.API_KEY + '\\n')
       console.log(JSON.stringify({ tools: [{ name: 'told' }] }))`,
    )
    mkdirSync(join(folder, 'other'))
    writeFileSync(join(folder, 'other', 'tells.mjs'), readFileSync(program))
    await kept.add({ entry: { line: 'node tells.mjs', environment: { API_KEY: secret } }, name: 'tells' })
    const masked = kept.entryOf('tells')
    const toldBefore = readFileSync(received, 'utf8')
    expect(toldBefore).toContain(secret)
    const typeAgain = expect.objectContaining({
      code: 'request-invalid',
      detail: expect.stringContaining('another command or address'),
    })
    for (const other of [
      { line: 'node tells.mjs else' },
      { line: undefined, command: ['node', 'tells.mjs', 'else'] },
      { directory: 'other' },
    ]) {
      const entry = JSON.parse(JSON.stringify({ ...masked, ...other }))
      await expect(kept.change('tells', { entry })).rejects.toEqual(typeAgain)
      await expect(kept.probe({ entry, name: 'tells' })).rejects.toEqual(typeAgain)
    }
    expect(readFileSync(received, 'utf8')).toBe(toldBefore)
    await kept.change('tells', {
      entry: { ...masked, line: 'node tells.mjs else', environment: { API_KEY: 'typed-again' } },
    })
    expect(readFileSync(received, 'utf8')).toMatch(/else.* typed-again/)
  })

  test('are saved to toolscope.json with its comments and without secrets, and are trusted there', async () => {
    const file = join(folder, 'toolscope.json')
    mkdirSync(join(folder, 'lib'))
    const first = await start()
    await first.kept.add({ entry: { line, environment: { API_KEY: secret, MODE: 'test' } }, name: 'shop' })
    const made = first.kept.configChange('shop')
    expect(made).toMatchObject({ file, before: null, notes: [expect.stringContaining('API_KEY')] })
    writeFileSync(file, '{\n  // Ours.\n  "sources": {}\n}\n')
    await expect(first.kept.saveToConfig('shop', made.before)).rejects.toThrow(
      /has changed since it was shown/,
    )
    const shown = first.kept.configChange('shop')
    await first.kept.saveToConfig('shop', shown.before)
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('// Ours.')
    expect(text).not.toContain(secret)
    const { entries } = loadConfig(folder, file)
    expect(entries.map(({ spec }) => [spec.settings, spec.kind])).toEqual([
      [{ name: 'shop', environment: { API_KEY: `\${env:API_KEY}`, MODE: 'test' } }, 'llms-program'],
    ])
    const { environment } = first
    const trust = new Trust(file, { environment, say: () => {} }, false)
    trust.apply(loadConfig(folder, file))
    expect(trust.list()).toMatchObject([{ name: 'shop', isTrusted: true }])
    expect(first.sources.list()).toMatchObject([
      { name: 'shop', status: 'ready', origin: { from: 'file', file } },
    ])
    expect((await start()).list()).toEqual([])
    expect(() => first.kept.entryOf('shop')).toThrow(/from .*toolscope\.json/)
  })
})
