/** Versions that are kept in memory, of a source whose list changes. */
import type { SourceChanged } from '../../core/api/events.ts'
import { parseSnapshotReference } from '../../core/manifest/reference.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { Catalog } from '../catalog/catalog.ts'
import { testContext } from '../sources/testkit.ts'
import { memorySnapshots } from './memory-snapshots.ts'
import { SnapshotRecorder } from './snapshot-recorder.ts'

export const testRecorder = (catalog: Catalog, say: (line: string) => void = () => {}) =>
  new SnapshotRecorder({
    sources: catalog.sources,
    store: memorySnapshots(),
    environment: process.env,
    say,
  })

/** A list of tools, each with one parameter `n` up to the maximum. */
export const manifest = (...tools: (readonly [name: string, maximum: number])[]): Manifest => ({
  tools: tools.map(([name, maximum]) => ({
    name,
    inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum } }, required: ['n'] },
  })),
  problems: [{ message: 'of the moment' }],
  format: 'test',
})

/** A source `acme` that gives the lists one after the other. */
export async function follow(...lists: readonly Manifest[]) {
  const said: string[] = []
  const changes: SourceChanged[] = []
  let asked = 0
  const catalog = new Catalog(testContext)
  const versions = testRecorder(catalog, line => said.push(line))
  versions.onChanged(changed => changes.push(changed))
  await catalog.sources.open({
    settings: { name: 'acme' },
    kind: 'test',
    label: 'acme',
    definition: '',
    open: async () => ({
      label: 'acme',
      manifest: async () => lists[Math.min(asked++, lists.length - 1)] ?? manifest(),
      close: async () => {},
    }),
  })
  await versions.idle()
  for (let list = 1; list < lists.length; list++) {
    await catalog.sources.refresh('acme')
    await versions.idle()
  }
  const find = async (word: string) => {
    const reference = parseSnapshotReference(`acme@${word}`)
    if (reference === null) throw new Error(`${word} is no reference`)
    const snapshot = await versions.find(reference)
    return { snapshot, manifest: await versions.store.manifestOf(snapshot) }
  }
  return { catalog, versions, said, changes, find }
}
