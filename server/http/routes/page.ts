/**
 * Serves the built page: hashed files with an unlimited cache lifetime, each compressed once, and index.html for every
 * other path.
 */
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { getMimeType } from 'hono/utils/mime'
import { scriptWorkerPolicy } from '../security.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Encoding = 'br' | 'gzip' | 'identity'

/** This quality takes 0.1 s for the largest file; the highest takes ten seconds and saves another fifth. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const encoders = {
  br: (bytes: Bytes) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: (bytes: Bytes) => promisify(gzip)(bytes),
  identity: async (bytes: Bytes) => bytes,
} as const satisfies Record<Encoding, (bytes: Bytes) => Promise<Uint8Array>>

/** @param root absolute folder of the built page */
export function pageRoutes(root: string): Hono {
  const routes = new Hono()
  const readAsset = assetReader(join(root, 'assets'))
  routes.get('/assets/:name', async context => {
    const name = context.req.param('name')
    const encoding = encodingFor(accepts(context, acceptedEncodings))
    const asset = await readAsset(name, encoding)
    if (asset === undefined) return context.text('Not found', 404)
    if (/^script\.worker-[\w-]+\.js$/.test(name))
      context.header('Content-Security-Policy', scriptWorkerPolicy)
    context.header('Cache-Control', 'public, max-age=31536000, immutable')
    context.header('Vary', 'Accept-Encoding')
    if (encoding !== 'identity') context.header('Content-Encoding', encoding)
    return context.body(asset, 200, { 'Content-Type': getMimeType(name) ?? 'application/octet-stream' })
  })
  routes.get('/favicon.svg', serveStatic({ root }))
  // Every view of the page has its own path, which the router in the page reads.
  routes.get('*', context => {
    if (context.req.path.startsWith('/assets/')) return context.text('Not found', 404)
    return context.html(readFileSync(join(root, 'index.html'), 'utf8'))
  })
  return routes
}

/** Picks the first of `supports` that the client accepts; the client's order of preference is ignored. */
const acceptedEncodings = {
  header: 'Accept-Encoding',
  supports: ['br', 'gzip'],
  default: 'identity',
  match: (accepted, { supports, default: none }) =>
    supports.find(name => accepted.some(({ type, q }) => type === name && q > 0)) ?? none,
} satisfies Parameters<typeof accepts>[1]

const encodingFor = (accepted: string): Encoding =>
  accepted === 'br' || accepted === 'gzip' ? accepted : 'identity'

/** Reads a file of the folder, and compresses it when an encoding is first requested. */
function assetReader(folder: string): (name: string, encoding: Encoding) => Promise<Bytes | undefined> {
  const made = new Map<string, Promise<Bytes>>()
  return async (name, encoding) => {
    const path = await findAssetPath(folder, name)
    if (path === undefined) return undefined
    if (encoding === 'identity') return readFile(path)
    const key = `${encoding} ${name}`
    const known = made.get(key) ?? readFile(path).then(encoders[encoding]).then(asBytes)
    made.set(key, known)
    // A failed read is tried again at the next request.
    known.catch(() => made.delete(key))
    return known
  }
}

/** Accepts only names in the folder, so that no name leads to another path. The script engine is in its own package. */
async function findAssetPath(folder: string, name: string): Promise<string | undefined> {
  if (/^bashkit_wasm_bg-[\w-]+\.wasm$/.test(name))
    return createRequire(import.meta.url).resolve('@everruns/bashkit-wasm/bashkit_wasm_bg.wasm')
  const names = await readdir(folder).catch((): string[] => [])
  return names.includes(name) ? join(folder, name) : undefined
}

const asBytes = (bytes: Uint8Array): Bytes => new Uint8Array(bytes)
