/**
 * The tables, as Kysely knows them. Flags are 0 or 1, JSON and compressed text are bytes: both databases support these.
 */
import type { Generated } from 'kysely'

interface MigrationsTable {
  readonly name: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
}

/** One call without its bodies: the columns that lists, filters and statistics read. */
export interface InvocationsTable {
  /** The order in time, newest highest: milliseconds since 1970 times 2048, plus a unique number. */
  readonly seq: number
  readonly id: string
  readonly ref: string
  /** Hash of the reference, so its length is limited. */
  readonly tool_key: string
  readonly source: string
  readonly tool: string
  readonly origin: string
  readonly duration_ms: number
  /** `ok`, or the reason of the failure. */
  readonly outcome: string
  readonly input_verdict: string
  readonly output_verdict: string
  /** The beginning of the input, for lists. */
  readonly preview: string
  /** The error, in one line. */
  readonly message: string | null
  readonly schema_hash: string | null
  readonly snapshot_id: string | null
  /** The name of the person that called; null for the operator and for calls without people. */
  readonly person: string | null
  pinned: Generated<number>
  /** Bytes of input, result and logs before compression. */
  readonly size: number
}

/** The input, result and logs of a call: compress.ts reads and writes these bytes. */
interface InvocationBodiesTable {
  readonly seq: number
  readonly input: Uint8Array
  readonly result: Uint8Array
  readonly logs: Uint8Array | null
}

/** Full text: SQLite's FTS5 (`rowid` is the seq), PostgreSQL's tsvector. text-search.ts queries it. */
interface InvocationWordsTable {
  readonly rowid: number
  readonly seq: number
  readonly words: string
}

/** Texts of tools, and of the other parts of a manifest; compress.ts reads and writes these bytes. */
interface SnapshotBodiesTable {
  /** SHA-256 of the canonical text, hex. */
  readonly hash: string
  readonly body: Uint8Array
}

export interface SnapshotsTable {
  readonly source: string
  readonly number: number
  /** ISO 8601, UTC. */
  readonly time: string
  readonly hash: string
  /** Hash of the body with everything except the tools. */
  readonly facts: string
  readonly tool_count: number
  readonly cause: string
  readonly version: string | null
  readonly git: string | null
  /** The person who read the list again. */
  readonly person: string | null
}

interface SnapshotLabelsTable {
  readonly source: string
  readonly label: string
  readonly number: number
}

/** A tool over an interval of versions: it was listed from `since` up to, not including, `until`. */
export interface SnapshotToolsTable {
  readonly source: string
  /** Hash of its name and of how many tools of that name come before it, so its length is limited. */
  readonly tool_key: string
  readonly since: number
  /** 2147483647 if the newest version still lists it. */
  readonly until: number
  /** Its position in the list, ascending. */
  readonly position: number
  readonly hash: string
}

interface ExamplesTable {
  /** Hash of source, tool and name. */
  readonly id: string
  readonly source_key: string
  readonly tool_key: string
  /** `source/tool`, for display. */
  readonly label: string
  /** The content that the example would have as a file. */
  readonly body: string
}

/** Sources that were added in the page (catalog/stored-rows.ts). */
interface SourcesTable {
  /** Hash of folder and name. */
  readonly id: string
  /** Hash of the folder that they are kept for, and of their encryption key. */
  readonly folder: string
  /** Order in the list: milliseconds since 1970 when it was added. */
  readonly position: number
  /** Encrypted JSON. */
  readonly body: string
}

interface SignInsTable {
  /** Hash of the server's address. */
  readonly id: string
  /** Encrypted JSON: tokens and client. */
  readonly body: string
}

/** Changes of rows, for other replicas: PostgreSQL only (002-changes.ts). */
interface ChangesTable {
  readonly seq: Generated<number>
  /** The replica that wrote it. */
  readonly writer: Generated<string>
  /** JSON: StoreEvent[] of one transaction. */
  readonly body: string
}

interface ToolScoresTable {
  /** Hash of source and tool. */
  readonly id: string
  readonly source_key: string
  /** JSON: checks/keep-scores.ts reads and writes it. */
  readonly body: string
}

export interface PeopleTable {
  readonly name: string
  /** SHA-256 of the token, hex. */
  readonly hash: string
  /** The first characters of the token, for display. */
  readonly prefix: string
  /** Comma separated. */
  readonly rights: string
  /** JSON: the names of the sources; null: all. */
  readonly sources: string | null
  readonly calls_at_a_time: number | null
  readonly calls_a_minute: number | null
  /** Milliseconds since 1970, as the next two. */
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
  /** Higher than every revision before: the highest one changes with each change of the table. */
  readonly revision: number
}

/** Requests that change something, and sign-ins; apart from the calls, which are in `invocations`. */
export interface AuditTable {
  /** As in `invocations`. */
  readonly seq: number
  /** Null: the operator. */
  readonly person: string | null
  readonly outcome: string
  /** The right that the request needs, or `sign-in`. */
  readonly needs: string
  readonly request: string
  readonly target: string | null
  readonly address: string | null
  readonly forwarded_for: string | null
}

export interface Tables {
  toolscope_migrations: MigrationsTable
  invocations: InvocationsTable
  invocation_bodies: InvocationBodiesTable
  invocation_words: InvocationWordsTable
  snapshot_bodies: SnapshotBodiesTable
  snapshots: SnapshotsTable
  snapshot_labels: SnapshotLabelsTable
  snapshot_tools: SnapshotToolsTable
  examples: ExamplesTable
  sources: SourcesTable
  sign_ins: SignInsTable
  changes: ChangesTable
  tool_scores: ToolScoresTable
  people: PeopleTable
  audit: AuditTable
}

/** Values that both databases store in the same way. */

export const dayMs = 86_400_000

/** Numbers within one millisecond: together with the time they stay below 2^53 until the year 2109. */
export const seqsPerMillisecond = 2048

/** The lowest `seq` of a moment: milliseconds since 1970 times 2048. Each call adds a unique number. */
export const seqAt = (milliseconds: number) => Math.floor(milliseconds) * seqsPerMillisecond

/** ISO 8601, UTC. */
export const toIsoTime = (seq: number) => new Date(Math.floor(seq / seqsPerMillisecond)).toISOString()

/** PostgreSQL refuses NUL in a text and SQLite ends the text there; neither keeps half of a surrogate pair. */
export function storableText(text: string, maxCharacters: number): string {
  return Buffer.from(text.slice(0, maxCharacters), 'utf8').toString('utf8').replaceAll('\0', '\uFFFD')
}
