/** Reads snapshots: their list, one whole, and a tool's timeline. */

import { AppError } from '../../core/errors.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Snapshot, SnapshotManifest } from '../../core/snapshot/snapshot.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import { decompress } from './compress.ts'
import { snapshotOf, toolKey, turns } from './snapshot-rows.ts'
import type { ToolTouch } from './snapshot-store.ts'
import type { Store } from './store.ts'

/** Newest first. */
export async function listSnapshots(store: Store, source: string): Promise<readonly Snapshot[]> {
  const database = store.database()
  const [rows, labels] = await Promise.all([
    database
      .selectFrom('snapshots')
      .selectAll()
      .where('source', '=', source)
      .orderBy('number', 'desc')
      .execute(),
    database
      .selectFrom('snapshot_labels')
      .selectAll()
      .where('source', '=', source)
      .orderBy('label')
      .execute(),
  ])
  const byNumber = groupBy(labels, ({ number }) => number)
  return rows.map(row => snapshotOf(row, byNumber.get(row.number)?.map(({ label }) => label) ?? []))
}

/** Throws AppError `snapshot-not-found`. */
export async function readSnapshot(
  store: Store,
  { source, number }: Pick<Snapshot, 'source' | 'number'>,
): Promise<SnapshotManifest> {
  const database = store.database()
  const head = await database
    .selectFrom('snapshot_bodies')
    .select('body')
    .where('hash', '=', query =>
      query.selectFrom('snapshots').select('facts').where('source', '=', source).where('number', '=', number),
    )
    .executeTakeFirst()
  if (head === undefined) throw new AppError('snapshot-not-found', `${source}@${number}`)
  const rows = await database
    .selectFrom('snapshot_tools')
    .innerJoin('snapshot_bodies', 'snapshot_bodies.hash', 'snapshot_tools.hash')
    .select('snapshot_bodies.body')
    .where('source', '=', source)
    .where('since', '<=', number)
    .where('until', '>', number)
    .orderBy('position')
    .execute()
  const tools: ManifestTool[] = []
  const turn = turns()
  for (const { body } of rows) {
    // Written by this program from a ManifestTool.
    tools.push(JSON.parse(await decompress(body)) as ManifestTool)
    await turn()
  }
  return { ...(JSON.parse(await decompress(head.body)) as Omit<SnapshotManifest, 'tools'>), tools }
}

/** The versions that differ in this tool (the first of its name) from the one before that is kept. */
export async function readTouches(store: Store, source: string, tool: string): Promise<readonly ToolTouch[]> {
  const database = store.database()
  const [numbers, rows] = await Promise.all([
    database
      .selectFrom('snapshots')
      .select('number')
      .where('source', '=', source)
      .orderBy('number')
      .execute(),
    database
      .selectFrom('snapshot_tools')
      .select(['since', 'until', 'hash'])
      .where('source', '=', source)
      .where('tool_key', '=', toolKey(tool))
      .orderBy('since')
      .execute(),
  ])
  const answer: ToolTouch[] = []
  let at = 0
  for (const { number } of numbers) {
    while (at < rows.length && (rows[at]?.until ?? 0) <= number) at += 1
    const row = rows[at]
    const hash = row !== undefined && row.since <= number ? row.hash : undefined
    if (hash === answer.at(-1)?.hash) continue
    answer.push({ number, ...(hash === undefined ? {} : { hash }) })
  }
  return answer
}
