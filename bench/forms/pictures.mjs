/**
 * Takes the pictures of docs/forms.md: `node bench/forms/pictures.mjs`. One small PNG for each construct, both themes
 * checked by hand.
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openBrowser } from './browser.mjs'
import { buildBench } from './build.mjs'
import { readTools } from './read-tools.mjs'

const here = path => fileURLToPath(new URL(path, import.meta.url))

/** Each picture's construct and input. */
const pictures = {
  text: ['text', { city: 'Lyon', code: 'FR-69' }],
  formats: [
    'formats',
    {
      day: '2026-11-21',
      at: '2026-11-21T18:30:05.250+01:00',
      id: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
      tint: '#3257d6',
    },
  ],
  secrets: ['secrets', { password: 'open sesame' }],
  binary: ['binary', { image: 'aGVsbG8=' }],
  numbers: ['numbers', { ratio: 0.5, big: 9007199254740000 }],
  booleans: ['booleans', { force: true }],
  enums: ['enums', { level: 'mid', mixed: null, titled: 'b' }],
  constants: ['constants', { kind: 'report' }],
  lists: ['lists of values', { tags: ['red', 'green'], ids: [1, 2], pick: ['read', 'admin'] }],
  tables: [
    'lists of flat objects',
    {
      lines: [
        { sku: 'A-1', quantity: 2, price: null, gift: true },
        { sku: '', quantity: 0 },
      ],
    },
  ],
  cards: [
    'lists of objects',
    { hooks: [{ url: 'https://example.com/', retries: 2 }, { url: 'https://example.org/' }] },
  ],
  tuples: ['tuples', { point: [45.76, 4.84] }],
  nested: ['nested objects', { owner: { name: 'Ada', home: { street: 'Rue X', number: 4 } } }],
  maps: ['maps', { labels: { team: 'payments', tier: '1' }, limits: { cpu: 2 } }],
  anything: ['any JSON', { value: { a: [1, 'two'] } }],
  union: ['discriminated union', { strategy: { type: 'rolling', batch: 25 } }],
  kinds: ['unions of kinds', { id: 7, target: ['a', 'b'] }],
  root: ['root union', { id: 7, dry_run: true }],
  nullable: ['nullable', { name: null, count: 3 }],
  conditions: ['conditions', { country: 'us', zip: '94110' }],
  recursion: ['recursion', { tree: { name: 'root', children: [{ name: 'leaf' }] } }],
  defaults: ['required with a default', { x: 'set' }],
  forbidden: ['closed', { a: 5, stranger: true }],
}

const tools = await readTools(here('./constructs.json'))
const built = await buildBench()
const browser = await openBrowser(built.pageDir)
const folder = here('../../docs/images/forms')
await mkdir(folder, { recursive: true })
for (const [name, [construct, input]] of Object.entries(pictures)) {
  const tool = tools.find(candidate => candidate.name === construct)
  if (!tool) throw new Error(`no construct ${construct}`)
  await browser.picture(tool.schema, JSON.stringify(input), `${folder}/${name}.png`)
}
await browser.close()
await built.remove()
