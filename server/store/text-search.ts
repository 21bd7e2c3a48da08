/**
 * Search by words: an inverted index in either database, filled with our own words (core/history/words.ts) and with
 * one word for each value that is filtered by. So text and filters together are one lookup.
 *
 * Neither index gives its hits newest first without looking at all of them first. So each word carries its day, and
 * days are asked newest first, few and then more at once, until there are enough: a word that stands in every call
 * costs a day's hits, a rare one a handful of lookups. Here alone are the two databases asked in different words.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { HistoryFilters } from '../../core/history/history.ts'
import { searchWords, wordsOf } from '../../core/history/words.ts'
import { PER_MILLISECOND } from './seq.ts'
import type { StoreDialect } from './store.ts'
import type { Tables } from './tables.ts'

/** Stands before the words that no text can hold. */
const MARK = '\uE000'
/** Words and characters of each text that can be found. */
const MOST_WORDS = 150
const MOST_CHARACTERS = 16 * 1024
/** Shorter words must be there whole: the beginnings of all words would be every row. */
const SHORTEST_BEGINNING = 3
/** How many days are asked at once: one, then more; the last number goes on. */
const DAYS_AT_ONCE = [1, 3, 9, 27]

export interface FoundBy {
  /** Milliseconds since 1970. */
  readonly startedAt: number
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

const keys = new Map<string, string>()

/** A hash of bounded length, the same everywhere. The few names that there are come again and again. */
export function keyOf(text: string): string {
  const known = keys.get(text)
  if (known !== undefined) return known
  const key = createHash('sha256').update(text).digest('hex').slice(0, 16)
  if (keys.size >= 10_000) keys.clear()
  keys.set(text, key)
  return key
}

const filterWord = (kind: string, value: string) => `${MARK}${kind}${value.replaceAll(/[^a-z0-9]/g, '')}`

/** The day of a word: four letters or digits, in the order of time until the year 6568. */
const dayWord = (day: number) => day.toString(36).padStart(4, '0')
const dayOf = (milliseconds: number) => Math.max(0, Math.floor(milliseconds / 86_400_000))
const dayOfSeq = (seq: number) => dayOf(seq / PER_MILLISECOND)

/** Everything by which a row is found, each word once, with its day. */
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
  const day = dayWord(dayOf(row.startedAt))
  return [...new Set(words)].map(word => day + word)
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
  const ends = await database
    .selectFrom('invocations')
    .select(({ fn }) => [fn.min('seq').as('oldest'), fn.max('seq').as('newest')])
    .executeTakeFirst()
  if (ends === undefined || ends.oldest === null) return []
  const found: number[] = []
  const first = dayOfSeq(Math.max(from, ends.oldest))
  for (const days of dayGroups(first, dayOfSeq(Math.min(before, ends.newest)))) {
    const wanted = limit - found.length
    const { rows } = await lookUp(dialect, query, days, { from, before, limit: wanted }).execute(database)
    found.push(...rows.map(row => row.seq))
    if (found.length >= limit) break
  }
  return found
}

function* dayGroups(first: number, last: number): Generator<number[]> {
  let step = 0
  for (let newest = last; newest >= first; step += 1) {
    const size = DAYS_AT_ONCE[Math.min(step, DAYS_AT_ONCE.length - 1)] ?? 1
    const count = Math.min(size, newest - first + 1)
    yield Array.from({ length: count }, (_, n) => newest - n)
    newest -= count
  }
}

/** Words hold letters, digits and our mark alone: no quote can end them early. */
function lookUp(
  dialect: StoreDialect,
  { exact, beginnings }: WordQuery,
  days: readonly number[],
  { from, before, limit }: { from: number; before: number; limit: number },
) {
  const names = days.map(dayWord)
  if (dialect === 'sqlite') {
    const alternatives = names.map(day =>
      [...exact.map(word => `"${day}${word}"`), ...beginnings.map(word => `"${day}${word}" *`)].join(' AND '),
    )
    return sql<{ seq: number }>`select rowid as seq from invocation_words
      where invocation_words match ${alternatives.map(each => `(${each})`).join(' OR ')}
      and rowid >= ${from} and rowid < ${before} order by rowid desc limit ${limit}`
  }
  const alternatives = names.map(day =>
    [...exact.map(word => `'${day}${word}'`), ...beginnings.map(word => `'${day}${word}':*`)].join(' & '),
  )
  // Materialised: else the planner may trust that hits are spread evenly and walk through all rows in order.
  return sql<{ seq: number }>`with hits as materialized (
      select seq from invocation_words where words @@ ${alternatives.map(each => `(${each})`).join(' | ')}::tsquery
    ) select seq from hits where seq >= ${from} and seq < ${before} order by seq desc limit ${limit}`
}
