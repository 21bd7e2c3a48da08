/**
 * The rows of the sources that the page added: encrypted, for one folder. Two programs may use the same store, so a row is
 * never replaced that another one has written.
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { sourceEntry } from '../../core/api/source-entry.ts'
import { AppError, toAppError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/json.ts'
import type { SourceContext } from '../sources/source.ts'
import { hasSecretBox, openExistingBox, openSecretBox, type SecretBox } from '../store/secret-box.ts'
import type { Store } from '../store/store.ts'
import { startInSlices } from '../workers/run-slices.ts'

const storedSource = z.object({
  name: z.string(),
  entry: sourceEntry,
  formerNames: z.array(z.string()),
  isStopped: z.boolean(),
})
export type StoredSource = z.infer<typeof storedSource>

/** Why no row can be read. */
export interface KeyProblem {
  readonly error: AppError
  /** How many rows that may be the user's cannot be read. */
  readonly count: number
}

export class StoredSourceRows {
  private readonly store: Store
  private readonly context: SourceContext
  private box: SecretBox | undefined
  /** Rows exist that only the missing key can read: a new key would replace it. */
  private isKeyMissed = false
  /** The order of the list: milliseconds since 1970 when each source was added. */
  private readonly positions = new Map<string, number>()
  /** The beginning of each row as it was read or written: another row, if another program has written it since. */
  private readonly stamps = new Map<string, string>()

  constructor(store: Store, context: SourceContext) {
    this.store = store
    this.context = context
  }

  /** Returns why the key cannot be used; undefined if it can, or if there is nothing to read. */
  async findKeyProblem(): Promise<KeyProblem | undefined> {
    // The rows of a PostgreSQL may be of other users, who have keys of their own.
    const count = this.store.dialect === 'sqlite' && this.isReady() ? await this.countAll() : 0
    if (count === 0 && !hasSecretBox(this.context.environment)) return undefined
    try {
      this.box = openExistingBox(this.context.environment)
      return undefined
    } catch (thrown) {
      this.isKeyMissed = count > 0
      return { error: toAppError(thrown), count }
    }
  }

  /** Returns the sources of this folder in the order in which they were added. */
  async read(): Promise<StoredSource[]> {
    if (!this.isReady() || !hasSecretBox(this.context.environment)) return []
    const rows = await this.store
      .database()
      .selectFrom('sources')
      .select(['id', 'position', 'body'])
      .where('folder', '=', this.folderId())
      .orderBy('position')
      .execute()
    const stored = await startInSlices(rows, async ({ id, position, body }) => {
      const text = this.openBox().open(body, id)
      const parsed = storedSource.safeParse(text === null ? undefined : parseJson(text))
      if (parsed.data === undefined) return []
      this.positions.set(parsed.data.name, position)
      this.stamps.set(parsed.data.name, toStamp(body))
      return [parsed.data]
    })
    return stored.flat()
  }

  /**
   * Writes a source as it is now. Throws AppError `name-taken` if another program has added one of this name,
   * `request-invalid` if another program has changed or removed it.
   */
  async write(source: StoredSource): Promise<void> {
    const { name } = source
    const id = this.idOf(name)
    const body = this.openBox().seal(JSON.stringify(source), id)
    // A pasted manifest can be large: sealing it took a whole turn, and SQLite writes it on this thread.
    await setImmediate()
    const position = this.positions.get(name) ?? Date.now()
    this.positions.set(name, position)
    const stamp = this.stamps.get(name)
    const database = this.store.database()
    const written =
      stamp === undefined
        ? await database
            .insertInto('sources')
            .values({ id, folder: this.folderId(), position, body })
            .onConflict(conflict => conflict.column('id').doNothing())
            .returning('id')
            .executeTakeFirst()
        : await database
            .updateTable('sources')
            .set({ body })
            .where('id', '=', id)
            .where(storedStamp, '=', stamp)
            .returning('id')
            .executeTakeFirst()
    if (written === undefined) throw stamp === undefined ? takenElsewhere(name) : changedElsewhere()
    this.stamps.set(name, toStamp(body))
  }

  /** Deletes the row of a source, if there is one. Throws AppError `request-invalid` if another program has changed it. */
  async remove(name: string): Promise<void> {
    const stamp = this.stamps.get(name)
    if (stamp === undefined) return void this.positions.delete(name)
    const deleted = await this.store
      .database()
      .deleteFrom('sources')
      .where('id', '=', this.idOf(name))
      .where(storedStamp, '=', stamp)
      .returning('id')
      .executeTakeFirst()
    // Not before: a row that could not be deleted is still this program's.
    this.positions.delete(name)
    this.stamps.delete(name)
    if (deleted === undefined && (await this.isTaken(name))) throw changedElsewhere()
  }

  /** Gives the row that a source will get under its next name the place of its present row. */
  movePosition(name: string, next: string): void {
    this.positions.set(next, this.positions.get(name) ?? Date.now())
  }

  /**
   * Whether another program that uses the same store keeps a source of this name for this folder. False if that cannot be
   * read: `write` then says why.
   */
  async isTaken(name: string): Promise<boolean> {
    if (this.stamps.has(name) || !this.isReady() || !hasSecretBox(this.context.environment)) return false
    try {
      const rows = this.store.database().selectFrom('sources').select('id').where('id', '=', this.idOf(name))
      return (await rows.executeTakeFirst()) !== undefined
    } catch {
      return false
    }
  }

  /** Throws AppError `name-taken` if another program keeps a source of this name. */
  async demandFree(name: string): Promise<void> {
    if (await this.isTaken(name)) throw takenElsewhere(name)
  }

  private isReady(): boolean {
    return this.store.status().state === 'ready'
  }

  private async countAll(): Promise<number> {
    const { count } = await this.store
      .database()
      .selectFrom('sources')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  private openBox(): SecretBox {
    this.box ??= (this.isKeyMissed ? openExistingBox : openSecretBox)(this.context.environment)
    return this.box
  }

  private folderId(): string {
    return hashParts([this.openBox().id, this.context.directory])
  }

  private idOf(name: string): string {
    return hashParts([this.folderId(), name])
  }
}

/** A sealed text begins with 16 characters that are random each time. */
const stampLength = 16
const toStamp = (body: string) => body.slice(0, stampLength)
const storedStamp = sql<string>`substr(body, 1, ${sql.lit(stampLength)})`

const takenElsewhere = (name: string) =>
  new AppError('name-taken', `another Toolscope of this folder keeps a source "${name}"`)

const changedElsewhere = () =>
  new AppError(
    'request-invalid',
    'another Toolscope of this folder has changed or removed it. Start this one again to see how',
  )

const hashParts = (parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
