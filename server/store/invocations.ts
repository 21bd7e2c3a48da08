/**
 * The calls in the store: written in batches, read, pinned and deleted. The queries are the same for both databases.
 */

import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Selectable, Transaction } from 'kysely'
import type { InvocationSummary, StoredInvocation } from '../../core/api/history.ts'
import type { CallEvent, EndedEvent } from '../../core/tool/invocation.ts'
import { compress, decompress } from './compress.ts'
import type { InvocationRecord, ResultBody } from './invocation-record.ts'
import type { Retention } from './retention.ts'
import type { Store, StoreChange, StoreDialect } from './store.ts'
import { retryWhileTaken } from './store-failure.ts'
import {
  dayMs,
  type InvocationsTable,
  seqAt,
  seqsPerMillisecond,
  storableText,
  type Tables,
  toIsoTime,
} from './tables.ts'
import { callRows, deleteWords, indexWords, insertWords, pinnedWords, toHashKey } from './word-search.ts'

const previewLength = 200

/** A record that is ready to insert: compressed and indexed, which needs no database. */
export interface PackedInvocation {
  readonly row: Omit<InvocationsTable, 'seq' | 'pinned'>
  readonly startedAt: number
  readonly input: Buffer
  readonly result: Buffer
  readonly logs: Buffer | null
  readonly words: readonly string[]
}

export async function packInvocation(record: InvocationRecord): Promise<PackedInvocation> {
  const { inputText, startedAt } = record
  const result = JSON.stringify(record.result)
  const logs = record.logs.length === 0 ? '' : JSON.stringify(record.logs)
  return {
    startedAt,
    row: {
      id: record.id,
      ref: storableText(record.ref, 4000),
      tool_key: toHashKey(record.ref),
      source: storableText(record.source, 1000),
      tool: storableText(record.tool, 4000),
      origin: record.origin,
      duration_ms: record.durationMs,
      outcome: record.outcome,
      input_verdict: record.inputVerdict,
      output_verdict: record.outputVerdict,
      preview: toPreview(inputText),
      message: record.message === null ? null : storableText(record.message, 500),
      schema_hash: record.schemaHash,
      snapshot_id: record.snapshotId,
      person: record.person === undefined ? null : storableText(record.person, 200),
      size: inputText.length + result.length + logs.length,
    },
    input: await compress(inputText),
    result: await compress(result),
    logs: logs === '' ? null : await compress(logs),
    words: indexWords(record, {
      startedAt,
      verdict: record.outputVerdict,
      pinned: false,
      texts: collectTexts(inputText, record.result.ending),
    }),
  }
}

let counter = randomInt(seqsPerMillisecond)

/** Returns a number that this process has not given to another call of the same millisecond. */
function nextSeq(startedAt: number): number {
  counter = (counter + 1) % seqsPerMillisecond
  return seqAt(startedAt) + counter
}

/**
 * Writes all of them or none. A call that is already stored is replaced by its later state and keeps its position and
 * its pin. Resolves once they are in the database: a crash of the program then loses none of them.
 *
 * @param batch of two with the same id, the ended or later one is stored
 * @returns the ids that were not stored before
 */
export function writeInvocations(store: Store, batch: readonly PackedInvocation[]): Promise<string[]> {
  const latest = new Map<string, PackedInvocation>()
  for (const packed of batch)
    if (packed.row.outcome !== 'unfinished' || !latest.has(packed.row.id)) latest.set(packed.row.id, packed)
  // Another replica can take the same number within the same millisecond.
  return retryWhileTaken(() => writeOnce(store, [...latest.values()]))
}

async function writeOnce(store: Store, batch: readonly PackedInvocation[]): Promise<string[]> {
  return store.write(async (transaction, changed) => {
    const ids = batch.map(packed => packed.row.id)
    const there = await transaction
      .selectFrom('invocations')
      .select(['id', 'seq', 'pinned'])
      .where('id', 'in', ids)
      .execute()
    // A call that has ended does not become unfinished again.
    const isThere = (id: string) => there.some(row => row.id === id)
    const fresh = batch.filter(({ row }) => row.outcome !== 'unfinished' || !isThere(row.id))
    const replaced = there.filter(({ id }) => fresh.some(({ row }) => row.id === id))
    await deleteRows(
      transaction,
      store.dialect,
      replaced.map(row => row.seq),
    )
    const rows = fresh.map(packed => {
      const before = replaced.find(row => row.id === packed.row.id)
      return { seq: before?.seq ?? nextSeq(packed.startedAt), packed, pinned: before?.pinned ?? 0 }
    })
    if (rows.length === 0) return []
    // The search index grows fastest in order.
    rows.sort((a, b) => a.seq - b.seq)
    await transaction
      .insertInto('invocations')
      .values(rows.map(({ seq, packed, pinned }) => ({ seq, ...packed.row, pinned })))
      .execute()
    await transaction
      .insertInto('invocation_bodies')
      .values(rows.map(({ seq, packed: { input, result, logs } }) => ({ seq, input, result, logs })))
      .execute()
    await insertWords(
      transaction,
      store.dialect,
      rows.map(({ seq, packed, pinned }) => ({
        seq,
        words: pinned === 1 ? pinnedWords(packed.words) : packed.words,
      })),
    )
    for (const { packed } of rows) changed(toChange(packed.row))
    return rows.map(({ packed }) => packed.row.id)
  })
}

const toChange = ({
  id,
  source,
  ref,
}: {
  readonly id: string
  readonly source: string
  readonly ref: string
}): StoreChange => ({ kind: 'invocation', id, source, ref })

const rowsWithBodies = (store: Store) =>
  callRows(store)
    .innerJoin('invocation_bodies', 'invocation_bodies.seq', 'invocations.seq')
    .selectAll('invocations')
    .select(['invocation_bodies.input', 'invocation_bodies.result', 'invocation_bodies.logs'])

/** Returns the call with its bodies; undefined if the id is unknown. */
export async function getInvocation(store: Store, id: string): Promise<StoredInvocation | undefined> {
  const row = await rowsWithBodies(store).where('id', '=', id).executeTakeFirst()
  return row && whole(row)
}

/** Returns summaries of these rows, newest first. */
export async function getSummaries(store: Store, seqs: readonly number[]): Promise<InvocationSummary[]> {
  if (seqs.length === 0) return []
  const rows = await callRows(store).selectAll().where('seq', 'in', seqs).orderBy('seq', 'desc').execute()
  return rows.map(toSummary)
}

/**
 * Returns summaries and bodies of these rows, newest first. A damaged row, whose bodies cannot be decoded, is left out.
 *
 * @param onDamaged called with the id of each damaged row
 */
export async function getWhole(
  store: Store,
  seqs: readonly number[],
  onDamaged: (id: string) => void,
): Promise<StoredInvocation[]> {
  if (seqs.length === 0) return []
  const rows = await rowsWithBodies(store)
    .where('invocations.seq', 'in', seqs)
    .orderBy('invocations.seq', 'desc')
    .execute()
  const readings = await Promise.allSettled(rows.map(whole))
  return readings.flatMap((reading, index) => {
    if (reading.status === 'fulfilled') return [reading.value]
    onDamaged(rows[index]?.id ?? '')
    return []
  })
}

/** Pins or unpins a call; undefined if the id is unknown. A pinned call is never pruned. */
export async function pinInvocation(
  store: Store,
  id: string,
  pinned: boolean,
): Promise<InvocationSummary | undefined> {
  const stored = await getInvocation(store, id)
  if (stored === undefined) return undefined
  await store.write(async (transaction, changed) => {
    const row = await transaction
      .updateTable('invocations')
      .set({ pinned: pinned ? 1 : 0 })
      .where('id', '=', id)
      .returning('seq')
      .executeTakeFirst()
    if (row === undefined) return
    const words = indexWords(stored, {
      startedAt: Date.parse(stored.startedAt),
      verdict: stored.verdict,
      pinned,
      texts: collectTexts(stored.inputText, stored.events.findLast(isEnding)),
    })
    await transaction.deleteFrom('invocation_words').where(wordsKey(store), '=', row.seq).execute()
    await insertWords(transaction, store.dialect, [{ seq: row.seq, words }])
    changed(toChange(stored))
  })
  return { ...summaryOnly(stored), pinned }
}

/** Deletes the rows with their bodies and words. */
export async function deleteSeqs(
  store: Store,
  seqs: readonly number[],
  change: StoreChange = { kind: 'invocation', id: '*' },
): Promise<number> {
  return store.write(async (transaction, changed) => {
    const count = await deleteRows(transaction, store.dialect, seqs)
    if (count > 0) changed(change)
    return count
  })
}

async function deleteRows(
  transaction: Transaction<Tables>,
  dialect: StoreDialect,
  seqs: readonly number[],
): Promise<number> {
  if (seqs.length === 0) return 0
  // The largest first: the search index may grow for a moment, which a full disk allows only in freed pages.
  await transaction.deleteFrom('invocation_bodies').where('seq', 'in', seqs).execute()
  await deleteWords(transaction, dialect, seqs)
  const done = await transaction.deleteFrom('invocations').where('seq', 'in', seqs).executeTakeFirst()
  return Number(done.numDeletedRows)
}

/** Returns true if the call existed. */
export async function deleteInvocation(store: Store, id: string): Promise<boolean> {
  const row = await callRows(store)
    .select(['seq', 'id', 'source', 'ref'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined && (await deleteSeqs(store, [row.seq], toChange(row))) > 0
}

function toSummary(row: Selectable<InvocationsTable>): InvocationSummary {
  return {
    id: row.id,
    ref: row.ref,
    source: row.source,
    tool: row.tool,
    // Only values of the API contract were ever written.
    origin: row.origin as InvocationSummary['origin'],
    startedAt: toIsoTime(row.seq),
    durationMs: row.duration_ms,
    outcome: row.outcome as InvocationSummary['outcome'],
    inputVerdict: row.input_verdict as InvocationSummary['inputVerdict'],
    verdict: row.output_verdict as InvocationSummary['verdict'],
    preview: row.preview,
    ...(row.message === null ? {} : { message: row.message }),
    ...(row.schema_hash === null ? {} : { schemaHash: row.schema_hash }),
    ...(row.snapshot_id === null ? {} : { snapshotId: row.snapshot_id }),
    ...(row.person === null ? {} : { person: row.person }),
    pinned: row.pinned === 1,
    size: row.size,
  }
}

type RowWithBody = Selectable<InvocationsTable> & Omit<Selectable<Tables['invocation_bodies']>, 'seq'>

async function whole(row: RowWithBody): Promise<StoredInvocation> {
  const inputText = await decompress(row.input)
  const body = JSON.parse(await decompress(row.result)) as ResultBody
  const logs = row.logs === null ? [] : (JSON.parse(await decompress(row.logs)) as CallEvent[])
  const summary = toSummary(row)
  const { inputMasked, secretMarker, cut, variables, inputValidation, timeoutMs, trace, ending } = body
  const { id, ref, startedAt } = summary
  const opening: readonly CallEvent[] = [
    { type: 'started', id, ref, startedAt, inputText, timeoutMs, ...(trace && { trace }) },
    { type: 'input-validation', validation: inputValidation },
  ]
  const storedFields = {
    inputText,
    inputMasked,
    ...(secretMarker === undefined ? {} : { secretMarker }),
    cut,
    ...(variables === undefined ? {} : { variables }),
  }
  return { ...summary, ...storedFields, events: [...opening, ...logs, ...(ending ? [ending] : [])] }
}

function summaryOnly(stored: StoredInvocation): InvocationSummary {
  const {
    inputText: _input,
    inputMasked: _masked,
    secretMarker: _marker,
    cut: _cut,
    variables: _variables,
    events: _events,
    ...summary
  } = stored
  return summary
}

/** Returns the texts of the input and of the result, for the search index. */
function collectTexts(inputText: string, ending: EndedEvent | undefined): string[] {
  if (ending === undefined) return [inputText]
  const { raw, structuredContent, content } = ending
  const texts = content.flatMap(block => (block.type === 'text' ? [block.text] : []))
  const json = raw ?? (structuredContent === undefined ? '' : JSON.stringify(structuredContent))
  const message = ending.type === 'failure' ? ending.message : ''
  return [inputText, json, texts.join('\n').slice(0, 64 * 1024), message]
}

const isEnding = (event: CallEvent): event is EndedEvent =>
  event.type === 'result' || event.type === 'failure'

const toPreview = (text: string) =>
  storableText(text.slice(0, 2 * previewLength).replaceAll(/\s+/g, ' '), previewLength)

const wordsKey = (store: Store) => (store.dialect === 'sqlite' ? 'rowid' : 'seq')

/** Rows of one transaction. */
const chunkSize = 200
/** Rows that are counted at a time. */
const countedRows = 10_000

/**
 * Returns how many calls may be added between two runs, and how many one run deletes: to find the oldest call that stays
 * takes about a microsecond for each call that stays.
 */
export const rowsPerRun = ({ maxCount }: Retention) => Math.max(1_000, Math.ceil(maxCount / 100))

/** Deletes calls beyond the retention, a part of them at a time. Resolves to the number of deleted calls. */
export async function pruneInvocations(
  store: Store,
  retention: Retention,
  now = Date.now(),
): Promise<number> {
  const minSeq = retention.maxDays === undefined ? 0 : seqAt(now - retention.maxDays * dayMs)
  const end = Math.max(minSeq, await findOldest(store, retention.maxCount))
  const maxDeleted = 5 * rowsPerRun(retention)
  let deleted = 0
  while (deleted < maxDeleted) {
    const rows = await unpinnedSeqs(store).where('seq', '<', end).orderBy('seq').limit(chunkSize).execute()
    if (rows.length === 0) break
    deleted += await deleteSeqs(
      store,
      rows.map(row => row.seq),
    )
    await setImmediate()
  }
  return deleted
}

/** Returns the seq of the oldest of the newest `maxCount` unpinned calls; 0 if there are fewer. */
async function findOldest(store: Store, maxCount: number): Promise<number> {
  let oldest = Number.MAX_SAFE_INTEGER
  for (let left = maxCount; left > 0; left -= countedRows) {
    const row = await unpinnedSeqs(store)
      .where('seq', '<', oldest)
      .orderBy('seq', 'desc')
      .offset(Math.min(left, countedRows) - 1)
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return 0
    oldest = row.seq
    // SQLite runs on this thread: let other work run between chunks.
    await setImmediate()
  }
  return oldest
}

const unpinnedSeqs = (store: Store) => callRows(store).select('seq').where('pinned', '=', 0)
