/** Sources that are added by the API, over a real server and a real store. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Connection } from '../../../core/api/clients.ts'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { StoredSources } from '../../catalog/stored-sources.ts'
import { keepInStore } from '../../checks/keep-in-store.ts'
import { configWriter } from '../../config/save-source.ts'
import { Trust } from '../../config/trust.ts'
import { resolveInRepository } from '../../sources/testkit.ts'
import { storedSnapshots } from '../../store/snapshots.ts'
import { databases } from '../../store/testkit.ts'
import { test } from '../../testing/folder-test.ts'
import { SnapshotRecorder } from '../../versions/snapshot-recorder.ts'
import { createHono } from '../serve-endpoints.ts'
import { clientRoutes } from './clients.ts'
import { sourceRoutes } from './sources.ts'

const memory = resolveInRepository('node_modules/@modelcontextprotocol/server-memory/dist/index.js')

/** Returns the routes over an empty store; requests that fail throw. */
async function openRoutes(folder: string) {
  const database = await databases[0]?.create()
  if (database === undefined) throw new Error('SQLite is always there')
  const store = await database.open()
  const environment = { ...process.env, ...database.environment }
  const context = { directory: folder, environment }
  const catalog = new Catalog(context)
  onTestFinished(async () => {
    await catalog.close()
    await database.remove()
  })
  const { sources } = catalog
  const say = () => undefined
  const trust = new Trust(null, { environment, say }, false)
  const config = configWriter({ path: null, trust }, folder, { environment, say })
  const stored = new StoredSources({ sources, store, context, say, config })
  const versions = new SnapshotRecorder({ sources, store: storedSnapshots(store), environment, say })
  const app = createHono()
    .route('/', sourceRoutes(catalog, stored, keepInStore(store), versions))
    .route('/', clientRoutes(catalog, stored, context))
  const request = async <Answer>(key: string, body?: unknown): Promise<Answer> => {
    const [method = '', path = ''] = key.split(' ')
    const headers = { 'content-type': 'application/json' }
    const response = await app.request(path, { method, headers, body: JSON.stringify(body) ?? null })
    const text = await response.text()
    if (!response.ok) throw new Error(`${key}: ${text}`)
    return JSON.parse(text)
  }
  const readStoredEntry = (name: string) => {
    const origin = sources.get(name).spec.origin
    return origin?.from === 'page' ? origin.entry : undefined
  }
  return { request, readStoredEntry }
}

test('source routes: typed settings of the server of a file win, and its masked variables can be sent back', async ({
  folder,
}) => {
  const { request, readStoredEntry } = await openRoutes(folder)
  const server = { command: process.execPath, args: [memory], env: { PLACE: 'of-the-file', MODE: 'plain' } }
  const file = join(folder, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers: { memory: server } }))
  const typed = { line: file, directory: '/', environment: { PLACE: 'typed', OTHER: 'typed too' } }
  const { name } = await request<SourceState>('POST /api/sources', { entry: typed })
  const env = { PLACE: 'typed', MODE: 'plain', OTHER: 'typed too' }
  const entry = { mcp: { command: [process.execPath, memory], env }, directory: '/' }
  expect(readStoredEntry(name)).toEqual(entry)
  const masked = await request<{ entry: SourceEntry }>(`GET /api/sources/${name}/entry`)
  expect(masked.entry.mcp).toMatchObject({ env: { PLACE: '•••', MODE: '•••', OTHER: '•••' } })
  await request(`PUT /api/sources/${name}`, { entry: { ...masked.entry, timeoutMs: 5_000 } })
  expect(readStoredEntry(name)).toEqual({ ...entry, timeoutMs: 5_000 })
})

test.for(['server', 'toolscope'])(
  'source routes: the texts for another client (via %s) contain no literal variable of a source of the page',
  async (via, { folder }) => {
    const { request } = await openRoutes(folder)
    const line = `${process.execPath} ${memory}`
    const environment = { MODE: 'literal-of-ours', PLACE: `\${env:HOME}/literal-of-ours` }
    const { name } = await request<SourceState>('POST /api/sources', { entry: { line, environment } })
    const connection = await request<Connection>(
      `GET /api/sources/${name}/connect?client=claude-code&via=${via}`,
    )
    expect(JSON.stringify(connection)).not.toContain('literal-of-ours')
    expect(connection.variables).toEqual(expect.arrayContaining(['MODE', 'PLACE']))
  },
)

test.for([
  [7_200, 3_600_000],
  [0.01, 100],
] as const)(
  'source routes: a call setting of a source whose file has a limit of %d s can be changed',
  async ([seconds, timeoutMs], { folder }) => {
    const { request } = await openRoutes(folder)
    const file = join(folder, 'config.toml')
    const command = `command = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([memory])}`
    writeFileSync(file, `[mcp_servers.memory]\n${command}\ntool_timeout_sec = ${seconds}\n`)
    const added = await request<SourceState>('POST /api/sources', { input: `${file}#memory` })
    expect(added.callSettings).toEqual({ timeoutMs })
    const settings = { ...added.callSettings, askBeforeDestructive: 'once' }
    const changed = await request<SourceState>(`PUT /api/sources/${added.name}/call-settings`, settings)
    expect(changed.callSettings).toEqual(settings)
  },
)
