/**
 * Search by words: an inverted index in either database, filled with our own words and with
 * one word for each value of a filter. So text and filters are one lookup.
 * Both indexes read all hits to find the newest. So each word contains its day, and the days are searched newest first,
 * first one and then as many as should be enough: a word that is in every call costs the hits of one day, a rare one a
 * few lookups. Only this file contains queries that differ between the two databases.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { HistoryFilters, InvocationSummary } from '../../core/api/history.ts'
import type { Store, StoreDialect } from './store.ts'
import { dayMs, seqsPerMillisecond, type Tables } from './tables.ts'

/** A prefix that no word of a text can have. */
const filterMark = '\uE000'
/** Only this many words and characters of each text are indexed. */
const maxWords = 150
const maxCharacters = 16 * 1024
/** Shorter words must match exactly: as a prefix they would match every row. */
const minPrefixLength = 3
/** Maximum number of days in one query. */
const maxDays = 8

type NamedCall = Pick<InvocationSummary, 'ref' | 'tool' | 'source' | 'origin' | 'outcome'> & {
  readonly person?: string | undefined
}

const keys = new LRUCache<string, string>({ max: 10_000 })

/** Returns a hash of limited length, the same everywhere. It is cached, because there are few names. */
export function toHashKey(text: string): string {
  const known = keys.get(text)
  if (known !== undefined) return known
  const key = createHash('sha256').update(text).digest('hex').slice(0, 16)
  keys.set(text, key)
  return key
}

const filterWord = (kind: string, value: string) =>
  `${filterMark}${kind}${value.replaceAll(/[^a-z0-9]/g, '')}`

/** The day of a word: four letters or digits, ascending with time until the year 6568. */
const dayWord = (day: number) => day.toString(36).padStart(4, '0')
const toDay = (milliseconds: number) => Math.max(0, Math.floor(milliseconds / dayMs))
const dayOfSeq = (seq: number) => toDay(seq / seqsPerMillisecond)

/**
 * Returns all words that find a row, each once, with its day.
 *
 * @param startedAt milliseconds since 1970
 * @param texts each is split into words by itself
 */
export function indexWords(
  row: NamedCall,
  {
    startedAt,
    verdict,
    pinned,
    texts,
  }: { startedAt: number; verdict: string; pinned: boolean; texts: readonly string[] },
): string[] {
  const words = [
    filterWord('t', toHashKey(row.ref)),
    filterWord('t', toHashKey(row.tool)),
    filterWord('s', toHashKey(row.source)),
    filterWord('g', row.origin),
    filterWord('o', row.outcome),
    ...(row.person === undefined ? [] : [filterWord('u', toHashKey(row.person))]),
    ...(row.outcome === 'ok' || row.outcome === 'unfinished' ? [] : [filterWord('o', 'failed')]),
    filterWord('v', verdict),
    filterWord('p', pinned ? '1' : '0'),
    ...collectSearchWords(row.tool, maxWords, maxCharacters),
    ...texts.flatMap(text => collectSearchWords(text, maxWords, maxCharacters)),
  ]
  const day = dayWord(toDay(startedAt))
  return [...new Set(words)].map(word => day + word)
}

/** Returns the same words for a pinned row. */
export const pinnedWords = (words: readonly string[]) =>
  words.map(word => (word.endsWith(filterWord('p', '0')) ? `${word.slice(0, -1)}1` : word))

/** The words that a row must contain, or null if the filters contain no words. */
interface WordQuery {
  readonly exact: readonly string[]
  readonly prefixes: readonly string[]
  /** One of them is enough; empty: no such condition. */
  readonly alternatives: readonly string[]
}

/** The filters of a request, and the sources that its person sees. */
export type CallFilters = HistoryFilters & {
  /** Only calls of these sources; undefined: of all. */
  readonly sources?: readonly string[] | undefined
}

export function wordQuery(filters: CallFilters): WordQuery | null {
  const { tool, source, sources, outcome, verdict, origin, person, pinned, text } = filters
  const exact = [
    ...(tool === undefined ? [] : [filterWord('t', toHashKey(tool))]),
    ...(source === undefined ? [] : [filterWord('s', toHashKey(source))]),
    ...(outcome === undefined ? [] : [filterWord('o', outcome)]),
    ...(verdict === undefined ? [] : [filterWord('v', verdict)]),
    ...(origin === undefined ? [] : [filterWord('g', origin)]),
    ...(person === undefined ? [] : [filterWord('u', toHashKey(person))]),
    ...(pinned === undefined ? [] : [filterWord('p', pinned ? '1' : '0')]),
  ]
  const prefixes: string[] = []
  for (const word of splitSearchText(text ?? ''))
    (word.length < minPrefixLength ? exact : prefixes).push(word)
  const ofSources = sources?.map(name => filterWord('s', toHashKey(name))) ?? []
  // No call has the second word: a person without sources sees no calls.
  const alternatives = sources?.length === 0 ? [filterWord('s', '')] : ofSources
  return exact.length + prefixes.length + alternatives.length === 0 ? null : { exact, prefixes, alternatives }
}

/** Inserts the words of rows; call it inside the transaction that writes the rows. */
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

/** Deletes the words of rows. Call it before the rows are deleted. PostgreSQL cascades. */
export async function deleteWords(
  database: Kysely<Tables>,
  dialect: StoreDialect,
  seqs: readonly number[],
): Promise<void> {
  if (dialect === 'postgres' || seqs.length === 0) return
  await sql`delete from invocation_words where rowid in (${sql.join(seqs)})`.execute(database)
}

/** At most `limit` rows, `from` ≤ seq < `before`. */
export type SeqRange = Readonly<Record<'from' | 'before' | 'limit', number>>

/** Returns the seqs of rows that contain the words, newest first. */
export async function findSeqs(
  store: Store,
  query: WordQuery,
  { from, before, limit }: SeqRange,
): Promise<number[]> {
  const found: number[] = []
  let count = 1
  for (let end = before; found.length < limit; ) {
    // Skips days without any call.
    const [newest] = await newestSeqs(store, { from, before: end, limit: 1 })
    if (newest === undefined) break
    const last = dayOfSeq(newest)
    const days = Array.from({ length: Math.min(count, last + 1) }, (_, n) => last - n)
    const missing = limit - found.length
    const range = { from, before: end, limit: missing }
    const { rows } = await lookUp(store.dialect, query, days, range).execute(store.database())
    found.push(...rows.map(row => row.seq))
    end = (last - days.length + 1) * dayMs * seqsPerMillisecond
    // As many days as should be enough, estimated from these; three times as many if they had no hits.
    const wanted = rows.length === 0 ? 3 * count : ((missing - rows.length) * days.length) / rows.length
    count = Math.min(maxDays, Math.max(1, Math.ceil(wanted)))
  }
  return found
}

export const callRows = (store: Store) => store.database().selectFrom('invocations')

/** Returns the seqs of any rows in the range, newest first. */
export async function newestSeqs(store: Store, { from, before, limit }: SeqRange): Promise<number[]> {
  const rows = await callRows(store)
    .select('seq')
    .where('seq', '>=', from)
    .where('seq', '<', before)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => row.seq)
}

/** Words contain only letters, digits and our mark, so no quote can end them early. */
function lookUp(
  dialect: StoreDialect,
  { exact, prefixes, alternatives: either }: WordQuery,
  days: readonly number[],
  { from, before, limit }: SeqRange,
) {
  const names = days.map(dayWord)
  if (dialect === 'sqlite') {
    const alternatives = names.map(day =>
      [
        ...exact.map(word => `"${day}${word}"`),
        ...prefixes.map(word => `"${day}${word}" *`),
        ...(either.length === 0 ? [] : [`(${either.map(word => `"${day}${word}"`).join(' OR ')})`]),
      ].join(' AND '),
    )
    return sql<{ seq: number }>`select rowid as seq from invocation_words
      where invocation_words match ${alternatives.map(each => `(${each})`).join(' OR ')}
      and rowid >= ${from} and rowid < ${before} order by rowid desc limit ${limit}`
  }
  const alternatives = names.map(day =>
    [
      ...exact.map(word => `'${day}${word}'`),
      ...prefixes.map(word => `'${day}${word}':*`),
      ...(either.length === 0 ? [] : [`(${either.map(word => `'${day}${word}'`).join(' | ')})`]),
    ].join(' & '),
  )
  // Materialised: otherwise the planner may assume that hits are spread evenly and read all rows in order.
  return sql<{ seq: number }>`with hits as materialized (
      select seq from invocation_words where words @@ ${alternatives.map(each => `(${each})`).join(' | ')}::tsquery
    ) select seq from hits where seq >= ${from} and seq < ${before} order by seq desc limit ${limit}`
}

/** Splits text into the words of the search, the same for every database, because neither database splits it. */

/** Only this many characters of a word are indexed. */
const maxWordCharacters = 32
/** Scripts without spaces between words: each character is a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const word = /[\p{L}\p{M}\p{N}]+/gu
/** The pattern for ASCII text. Loading the Unicode tables takes longer than reading a short text. */
const asciiWord = /[a-z0-9]+/g

/**
 * Returns lower-case words of letters and digits, each once, in order of appearance, at most `limit`. Only the first
 * `length` characters are read. `getUser` is `getuser`; `get_user` is `get` and `user`.
 */
function collectSearchWords(text: string, limit: number, length: number): string[] {
  const found = new Set<string>()
  const folded = text.slice(0, length).normalize('NFC').toLowerCase()
  const isAscii = /^[\0-\x7f]*$/.test(folded)
  for (const [match] of folded.matchAll(isAscii ? asciiWord : word)) {
    for (const part of isAscii ? [match] : splitUnspaced(match)) {
      found.add(cutWord(part))
      if (found.size >= limit) return [...found]
    }
  }
  return [...found]
}

/** Returns the words of a search, at most eight. */
function splitSearchText(text: string): string[] {
  return collectSearchWords(text, 8, 500)
}

function splitUnspaced(run: string): string[] {
  if (!unspaced.test(run)) return [run]
  const parts: string[] = []
  let plain = ''
  for (const character of run) {
    if (!unspaced.test(character)) plain += character
    else {
      if (plain !== '') parts.push(plain)
      plain = ''
      parts.push(character)
    }
  }
  return plain === '' ? parts : [...parts, plain]
}

/** Cuts a word without splitting a surrogate pair. */
function cutWord(text: string): string {
  return text.length <= maxWordCharacters
    ? text
    : [...text.slice(0, maxWordCharacters * 2)].slice(0, maxWordCharacters).join('')
}
