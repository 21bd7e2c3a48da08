/** Translates a database's error for the user, and decides whether it is transient. */
import { AppError } from '../../core/errors.ts'

export interface StoreFailure {
  readonly error: AppError
  /** The same database may work again later, so it is tried again. */
  readonly isTransient: boolean
  /** The query waited too long for its turn: the database works. */
  readonly isBusy: boolean
}

interface StoreFailureRule {
  readonly codes: RegExp
  readonly what: string
  readonly hint: string
  readonly isTransient: boolean
  readonly isBusy?: boolean
}

/** Codes of errors to which the drivers give none. */
const [busyCode, lostCode] = ['BUSY', 'CLOSED']

const causes: readonly StoreFailureRule[] = [
  {
    codes: /^(SQLITE_FULL|ENOSPC|EDQUOT|53100)/,
    what: 'the disk is full',
    hint: 'Make room on the disk, or clear old calls: toolscope history --clear. Writing is tried again with the next call.',
    isTransient: true,
  },
  {
    codes: /^HANGS/,
    what: 'the data directory does not answer',
    hint: 'See whether its disk or network folder is there, or move the store: TOOLSCOPE_DATA_DIR=<folder>.',
    isTransient: true,
  },
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    what: 'another program holds the file',
    hint: 'Close what has the file open (a database browser, a backup), or move the store: TOOLSCOPE_DATA_DIR.',
    isTransient: true,
  },
  {
    codes: /^55P03/,
    what: 'another program holds a lock on a table',
    hint: 'End what holds the lock (a backup, a migration, an open transaction); Toolscope tries again automatically.',
    isTransient: true,
  },
  {
    codes: /^SQLITE_(CORRUPT|NOTADB)/,
    what: 'the file is damaged',
    hint: 'Nothing was deleted. Save what can be saved with `sqlite3 toolscope.db .recover`, or move the file away: the next start makes a new one.',
    isTransient: false,
  },
  {
    codes: /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EACCES|EPERM|EROFS|ENOTDIR|ENOENT|EEXIST|EISDIR)/,
    what: 'the file or its folder cannot be written',
    hint: 'Allow writing there, or move the store: TOOLSCOPE_DATA_DIR=<folder>.',
    isTransient: true,
  },
  {
    codes: /^(SQLITE_IOERR|EIO)/,
    what: 'the disk cannot be read or written',
    hint: 'See whether the disk is sound and still attached.',
    isTransient: true,
  },
  {
    codes: /^(28|3D|42501)/,
    what: 'the database server refuses this user, password or database',
    hint: 'Check TOOLSCOPE_DATABASE_URL: postgres://user:password@host:5432/database. The user must be allowed to create tables.',
    isTransient: true,
  },
  {
    codes: new RegExp(`^${busyCode}$`),
    what: 'all connections are in use',
    hint: 'Try again. If it happens often, add a replica or cores for PostgreSQL: docs/team.md says how much they hold.',
    isTransient: true,
    isBusy: true,
  },
  {
    codes: /^(08|57P|53|XX|E[A-Z]+$|CLOSED)/,
    what: 'the database server cannot be reached',
    hint: 'Start the server or check TOOLSCOPE_DATABASE_URL; Toolscope tries again automatically.',
    isTransient: true,
  },
]

/**
 * Returns null if the error concerns the query or its data (a constraint), not the database.
 *
 * @param where the file or address, for the message
 */
export function storeFailure(thrown: unknown, where: string): StoreFailure | null {
  // The driver's wrapper has already converted it.
  if (thrown instanceof AppError)
    return { isTransient: false, isBusy: false, ...storeFailure(thrown.cause ?? '', where), error: thrown }
  const { code, message } = describe(thrown)
  const cause = causes.find(each => each.codes.test(code))
  if (cause === undefined) return null
  const { what, hint, isTransient, isBusy = false } = cause
  const retryAfterS = isBusy ? 1 : undefined
  const error = new AppError('store-failed', `${where}: ${what} (${message})`, {
    hint,
    retryAfterS,
    cause: thrown,
  })
  return { error, isTransient, isBusy }
}

/** Whether the connection does not answer any more. */
export const isConnectionLost = (thrown: unknown) => describe(thrown).code === lostCode

/** Like `storeFailure`, for opening: then every error means that the store is off. */
export function openingFailure(thrown: unknown, where: string): StoreFailure {
  const known = storeFailure(thrown, where)
  if (known !== null) return known
  const error = new AppError('store-failed', `${where}: ${describe(thrown).message}`, { cause: thrown })
  return { error, isTransient: false, isBusy: false }
}

function describe(thrown: unknown): { code: string; message: string } {
  if (!(thrown instanceof Error)) return { code: '', message: String(thrown) }
  // A name may have several addresses, each with an error: the first is enough.
  const first =
    thrown instanceof AggregateError && thrown.errors[0] instanceof Error ? thrown.errors[0] : thrown
  const code = 'code' in first ? String(first.code) : codeOfMessage(first.message)
  return { code, message: first.message || code }
}

/** libsql and pg throw some errors without a code. */
function codeOfMessage(message: string): string {
  // pg-pool says this only of a wait for a connection of the pool.
  if (/timeout exceeded when trying to connect/i.test(message)) return busyCode
  if (/Connection terminated|not queryable|(?:read timeout|timeout expired)$/i.test(message)) return lostCode
  if (/file is not a database/i.test(message)) return 'SQLITE_NOTADB'
  if (/malformed/i.test(message)) return 'SQLITE_CORRUPT'
  if (/database is locked/i.test(message)) return 'SQLITE_BUSY'
  if (/unable to open database|Unable to open connection/i.test(message)) return 'SQLITE_CANTOPEN'
  return ''
}

const maxTries = 5

/** Runs the work again if another process takes the same unique number or id in the meantime, at most five times. */
export async function retryWhileTaken<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (thrown) {
      // SQLite and PostgreSQL each have their own code.
      const isTaken = /^(SQLITE_CONSTRAINT|23505$)/.test(describe(thrown).code)
      if (tries >= maxTries || !isTaken) throw thrown
    }
  }
}
