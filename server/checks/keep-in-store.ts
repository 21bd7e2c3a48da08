/** Keeps examples in the store, for users without a configuration file. */
import { createHash } from 'node:crypto'
import { readExample, writeExample } from '../../core/checks/example.ts'
import type { Store, StoreChange } from '../store/store.ts'
import type { ExampleKeeper, ToolKey } from './example-keeper.ts'

/** At most this many examples of one tool are read. */
const maxRows = 500
const maxLabelLength = 500

export function keepInStore(store: Store): ExampleKeeper {
  return {
    place: store.status().where,
    list: async key => {
      const rows = await store
        .database()
        .selectFrom('examples')
        .select(['label', 'body'])
        .where('tool_key', '=', toolHash(key))
        .limit(maxRows)
        .execute()
      const read = rows.map(({ label, body }) => ({ label, reading: readExample(body) }))
      const examples = read.flatMap(({ reading }) =>
        reading.ok ? [{ name: reading.example.name, text: writeExample(reading.example) }] : [],
      )
      return {
        examples: examples.sort((a, b) => (a.name < b.name ? -1 : 1)),
        problems: read.flatMap(({ label, reading }) =>
          reading.ok ? [] : [{ file: label, message: reading.message }],
        ),
      }
    },
    save: async (key, example) => {
      const text = writeExample(example)
      const row = { ...buildKeys(key, example.name), body: text }
      await store.write(async (work, changed) => {
        await work
          .insertInto('examples')
          .values(row)
          .onConflict(conflict => conflict.column('id').doUpdateSet({ body: text }))
          .execute()
        changed(toChange(key))
      })
      return { name: example.name, text }
    },
    remove: async (key, name) => {
      const id = hashParts([key.source, key.tool, name])
      await store.write(async (work, changed) => {
        await work.deleteFrom('examples').where('id', '=', id).execute()
        changed(toChange(key))
      })
    },
    renameSource: (name, next) =>
      store.write(async (work, changed) => {
        const listRows = (source: string) =>
          work
            .selectFrom('examples')
            .select(['id', 'label', 'body'])
            .where('source_key', '=', hashParts([source]))
        if ((await listRows(next).limit(1).execute()).length > 0) return
        for (const { id, label, body } of await listRows(name).execute()) {
          const tool = parseToolLabel(label, name)
          const reading = readExample(body)
          if (tool === undefined || !reading.ok) continue
          await work
            .updateTable('examples')
            .set(buildKeys({ source: next, tool }, reading.example.name))
            .where('id', '=', id)
            .execute()
        }
        changed({ kind: 'example', id: '*' })
      }),
    strays: async (sources, tools) => {
      if (sources.length === 0) return []
      const rows = await store
        .database()
        .selectFrom('examples')
        .select(['tool_key', 'label'])
        .distinct()
        .where(
          'source_key',
          'in',
          sources.map(source => hashParts([source])),
        )
        .execute()
      const known = new Set(tools.map(toolHash))
      return rows.flatMap(({ tool_key, label }) =>
        known.has(tool_key) ? [] : [{ file: label, message: 'there is no such tool' }],
      )
    },
  }
}

const toolHash = ({ source, tool }: ToolKey) => hashParts([source, tool])

const toChange = (key: ToolKey): StoreChange => ({
  kind: 'example',
  id: toolHash(key),
  source: key.source,
  ref: `${key.source}/${key.tool}`,
})

const buildKeys = (key: ToolKey, name: string) => ({
  id: hashParts([key.source, key.tool, name]),
  source_key: hashParts([key.source]),
  tool_key: toolHash(key),
  label: toToolLabel(key),
})

/** Names are untrusted text of any length; the hash is a safe key. */
function hashParts(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Escaped as JSON, because PostgreSQL's text cannot contain NUL. */
function toToolLabel({ source, tool }: ToolKey): string {
  return JSON.stringify(`${source}/${tool}`).slice(1, -1).slice(0, maxLabelLength)
}

/** Returns the tool's name from a label; undefined if the label was cut. */
function parseToolLabel(label: string, source: string): string | undefined {
  if (label.length === maxLabelLength) return undefined
  const text: string = JSON.parse(`"${label}"`)
  return text.slice(source.length + 1)
}
