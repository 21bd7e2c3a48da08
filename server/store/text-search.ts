/**
 * Search by words: an inverted index in either database, filled with our own words (core/history/words.ts) and with
 * one word for each value that is filtered by. So text and filters together are one lookup, however rare or common
 * each of them is. The only place where the two databases are asked in different words.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { HistoryFilters } from '../../core/history/history.ts'
import { searchWords, wordsOf } from '../../core/history/words.ts'
import type { StoreDialect } from './store.ts'
import type { Tables } from './tables.ts'

/** Stands before the words that no text can hold. */
const MARK = '\uE000'
/** Words and characters of each text that can be found. */
const MOST_WORDS = 150
const MOST_CHARACTERS = 16 * 1024
/** Shorter words must be there whole: the beginnings of all words would be every row. */
const SHORTEST_BEGINNING = 3
/** How many of the newest rows PostgreSQL looks through before it asks the index, which knows no order. */
const NEWEST = 1_000

export interface FoundBy {
  readonly ref: string
  readonly tool: string
  readonly source: string
  readonly origin: string
  readonly outcome: string
  readonly verdict: string
  readonly pinned: boolean
  /** Each is looked at by itself. */
  readonly texts: readonly string[]
}

/** A hash of bounded length, the same everywhere. */
export const keyOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

const filterWord = (kind: string, value: string) => `${MARK}${kind}${value.replaceAll(/[^a-z0-9]/g, '')}`

/** Everything by which a row is found, each word once. */
export function indexWords(row: FoundBy): string[] {
  const words = [
    filterWord('t', keyOf(row.ref)),
    filterWord('t', keyOf(row.tool)),
    filterWord('s', keyOf(row.source)),
    filterWord('g', row.origin),
    filterWord('o', row.outcome),
    ...(row.outcome === 'ok' ? [] : [filterWord('o', 'failed')]),
    filterWord('v', row.verdict),
    filterWord('p', row.pinned ? '1' : '0'),
    ...wordsOf(row.tool, MOST_WORDS, MOST_CHARACTERS),
    ...row.texts.flatMap(text => wordsOf(text, MOST_WORDS, MOST_CHARACTERS)),
  ]
  return [...new Set(words)]
}

/** What a row must hold, or null when the filters say nothing about words. */
export interface WordQuery {
  readonly exact: readonly string[]
  readonly beginnings: readonly string[]
}

export function wordQuery(filters: HistoryFilters): WordQuery | null {
  const { tool, source, outcome, verdict, origin, pinned, text } = filters
  const exact = [
    ...(tool === undefined ? [] : [filterWord('t', keyOf(tool))]),
    ...(source === undefined ? [] : [filterWord('s', keyOf(source))]),
    ...(outcome === undefined ? [] : [filterWord('o', outcome)]),
    ...(verdict === undefined ? [] : [filterWord('v', verdict)]),
    ...(origin === undefined ? [] : [filterWord('g', origin)]),
    ...(pinned === undefined ? [] : [filterWord('p', pinned ? '1' : '0')]),
  ]
  const beginnings: string[] = []
  for (const word of searchWords(text ?? ''))
    (word.length < SHORTEST_BEGINNING ? exact : beginnings).push(word)
  return exact.length + beginnings.length === 0 ? null : { exact, beginnings }
}

/** Rows with their words; inside the transaction that writes the rows. */
export async function insertWords(
  database: Kysely<Tables>,
  dialect: StoreDialect,
  rows: readonly { seq: number; words: readonly string[] }[],
): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(({ seq, words }) =>
    dialect === 'sqlite'
      ? sql`(${seq}, ${words.join(' ')})`
      : sql`(${seq}, array_to_tsvector(string_to_array(${words.join(' ')}, ' ')))`,
  )
  const key = sql.raw(dialect === 'sqlite' ? 'rowid' : 'seq')
  await sql`insert into invocation_words (${key}, words) values ${sql.join(values)}`.execute(database)
}

/** Before the rows go. PostgreSQL does it by itself. */
export async function deleteWords(
  database: Kysely<Tables>,
  dialect: StoreDialect,
  seqs: readonly number[],
): Promise<void> {
  if (dialect === 'postgres' || seqs.length === 0) return
  await sql`delete from invocation_words where rowid in (${sql.join(seqs)})`.execute(database)
}

/** Seqs of rows that hold the words, newest first, at most `limit`, `from` ≤ seq < `before`. */
export async function findSeqs(
  database: Kysely<Tables>,
  dialect: StoreDialect,
  query: WordQuery,
  { from, before, limit }: { from: number; before: number; limit: number },
): Promise<number[]> {
  if (dialect === 'sqlite') {
    const { rows } = await sql<{ seq: number }>`select rowid as seq from invocation_words
      where invocation_words match ${matchExpression(query)} and rowid >= ${from} and rowid < ${before}
      order by rowid desc limit ${limit}`.execute(database)
    return rows.map(row => row.seq)
  }
  const wanted = tsquery(query)
  const newest = await sql<{ seq: number; hit: boolean }>`select seq, words @@ ${wanted}::tsquery as hit
    from invocation_words where seq >= ${from} and seq < ${before} order by seq desc limit ${NEWEST}`.execute(
    database,
  )
  const hits = newest.rows.flatMap(row => (row.hit ? [row.seq] : [])).slice(0, limit)
  const oldest = newest.rows.at(-1)?.seq
  if (hits.length === limit || newest.rows.length < NEWEST || oldest === undefined) return hits
  // Materialised: else the planner may trust that hits are spread evenly and walk through all rows in order.
  const older = await sql<{ seq: number }>`with hits as materialized (
      select seq from invocation_words where words @@ ${wanted}::tsquery and seq >= ${from} and seq < ${oldest}
    ) select seq from hits order by seq desc limit ${limit - hits.length}`.execute(database)
  return [...hits, ...older.rows.map(row => row.seq)]
}

/** Words hold letters, digits and our mark alone: no quote can end them early. */
const matchExpression = ({ exact, beginnings }: WordQuery) =>
  [...exact.map(word => `"${word}"`), ...beginnings.map(word => `"${word}" *`)].join(' AND ')

const tsquery = ({ exact, beginnings }: WordQuery) =>
  [...exact.map(word => `'${word}'`), ...beginnings.map(word => `'${word}':*`)].join(' & ')
