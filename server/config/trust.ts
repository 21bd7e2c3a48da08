/**
 * Workspace trust: a configuration starts something only after the user has agreed, once for each folder and again for
 * each change. Every configured source is opened through this class (docs/decisions/036-workspace-trust.md).
 */

import { createHash, randomUUID } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { parseJson } from '../../core/json/json.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { isOwned } from '../process/owner.ts'
import type { SourceSpec } from '../sources/source.ts'
import { dataDirectory } from '../store/location.ts'
import { callRetention, type Retention, snapshotRetention } from '../store/retention.ts'
import type { Config, ConfigEntry } from './config.ts'

export interface TrustContext {
  readonly environment: NodeJS.ProcessEnv
  say(line: string): void
  /** Asks on the terminal; absent without a terminal, or if the page asks. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** The hint for a user who refuses; a general one by default. */
  readonly wayOut?: string
}

/** An effect of a configuration that needs the user's agreement. */
interface TrustItem {
  /** The source's name; `history` or `versions` for limits that delete those. */
  readonly name: string
  /** The program that it starts or its other effect, in one line, secrets masked. */
  readonly starts: string
  /** Equal for items with the same effect. */
  readonly fingerprint: string
}

export class Trust {
  /** Absolute, with the symlinks of its folder resolved; null if there is no configuration. */
  readonly file: string | null
  private readonly context: TrustContext
  private readonly agreedForRun = new Set<string>()
  private isAgreedAtStart: boolean
  private items: readonly TrustItem[] = []
  private asking: Promise<void> | undefined

  /**
   * @param isAgreedAtStart the user has named the file (`--config`) or agreed for this run (`--trust`): what the file
   * contains at the start is trusted. Later additions need agreement.
   */
  constructor(file: string | null, context: TrustContext, isAgreedAtStart: boolean) {
    this.file = file === null ? null : join(realPath(dirname(file)), basename(file))
    this.context = context
    this.isAgreedAtStart = isAgreedAtStart
  }

  /** Returns the sources and limits that the configuration contains now, subject to the user's agreement. */
  apply(config: Pick<Config, 'entries' | 'callRetention' | 'snapshotRetention'>): {
    readonly specs: readonly SourceSpec[]
    readonly callRetention: Retention | null
    readonly snapshotRetention: Retention
  } {
    const calls = limitItem('history', config.callRetention, callRetention)
    const versions = limitItem('versions', config.snapshotRetention, snapshotRetention)
    const sources = config.entries.map(entry => ({ spec: entry.spec, item: toSourceItem(entry) }))
    this.items = [...sources.map(({ item }) => item), calls, versions].filter(item => item !== undefined)
    if (this.isAgreedAtStart) for (const { fingerprint } of this.items) this.agreedForRun.add(fingerprint)
    this.isAgreedAtStart = false
    const limits = (item: TrustItem | undefined) => item === undefined || this.isTrusted(item.fingerprint)
    return {
      specs: sources.map(({ spec, item }) => (item === undefined ? spec : this.guarded(spec, item))),
      callRetention: limits(calls) ? config.callRetention : callRetention,
      snapshotRetention: limits(versions) ? config.snapshotRetention : snapshotRetention,
    }
  }

  /** Returns the items that need agreement, each with the user's answer. */
  list(): (TrustItem & { readonly isTrusted: boolean })[] {
    return this.items.map(item => ({ ...item, isTrusted: this.isTrusted(item.fingerprint) }))
  }

  /** Equal as long as the list contains the same items. */
  fingerprint(): string {
    return computeFingerprint(this.items.map(item => item.fingerprint))
  }

  /** Asks on the terminal if an item is not trusted yet. Throws AppError `config-untrusted` unless the user agrees. */
  async demand(): Promise<void> {
    const pending = this.list().filter(({ isTrusted }) => !isTrusted)
    if (pending.length === 0) return
    const { ask } = this.context
    if (ask === undefined) throw this.refusal('which you have not agreed to', pending)
    this.asking ??= this.askOnTerminal(ask, pending).finally(() => {
      this.asking = undefined
    })
    await this.asking
  }

  /** Records that the user agrees to everything in the configuration. */
  agree(): void {
    this.record(this.items, {})
  }

  /** Records that the user agrees to one source, in addition to earlier agreements. */
  agreeTo(name: string): void {
    const before = this.file === null ? undefined : readRecord(this.context.environment, this.file)
    this.record(
      this.items.filter(item => item.name === name),
      before?.agreed ?? {},
    )
  }

  private record(items: readonly TrustItem[], before: Readonly<Record<string, string>>): void {
    for (const { fingerprint } of items) this.agreedForRun.add(fingerprint)
    if (this.file === null) return
    const added = items.map(({ name, starts, fingerprint }) => [fingerprint, `${name}: ${starts}`] as const)
    const agreed = { ...before, ...Object.fromEntries(added) }
    try {
      writeRecord(this.context.environment, { file: this.file, since: new Date().toISOString(), agreed })
    } catch (thrown) {
      this.context.say(
        `Your answer holds for this run only. It could not be recorded: ${toErrorMessage(thrown)}`,
      )
    }
  }

  /** Withdraws the agreement. Throws the system's error if the record cannot be removed. */
  withdraw(): void {
    if (this.file !== null) removeRecord(this.context.environment, this.file)
    this.agreedForRun.clear()
  }

  private isTrusted(fingerprint: string): boolean {
    if (this.agreedForRun.has(fingerprint)) return true
    if (this.file === null) return false
    const agreed = readRecord(this.context.environment, this.file)?.agreed ?? {}
    return Object.hasOwn(agreed, fingerprint)
  }

  private guarded(spec: SourceSpec, item: TrustItem): SourceSpec {
    const isTrusted = () => this.isTrusted(item.fingerprint)
    return {
      ...spec,
      isTrusted,
      open: async context => {
        if (!isTrusted()) await this.demand()
        // The file may have changed since: the agreement was about its current content.
        if (!isTrusted()) throw this.refusal('which you have not agreed to', [item])
        return spec.open(context)
      },
    }
  }

  private async askOnTerminal(
    ask: (question: string) => Promise<string>,
    pending: readonly TrustItem[],
  ): Promise<void> {
    const answer = await ask(
      `${this.file} would start, with your rights:\n${formatItems(pending)}\nDo you trust it? Yes is remembered for this folder. [y/N] `,
    )
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw this.refusal('which you do not trust', pending)
    this.agree()
  }

  private refusal(why: string, items: readonly TrustItem[]): AppError {
    const { wayOut } = this.context
    return new AppError('config-untrusted', `${this.file} would start these, ${why}`, {
      output: formatItems(items),
      ...(wayOut === undefined ? {} : { hint: wayOut }),
    })
  }
}

const formatItems = (items: readonly TrustItem[]) =>
  items.map(({ name, starts }) => `  ${plainLine(name)}: ${starts}`).join('\n')

const computeFingerprint = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex')

function toSourceItem({ spec, starts }: ConfigEntry): TrustItem | undefined {
  const { name } = spec.settings
  return starts === undefined
    ? undefined
    : { name, starts, fingerprint: computeFingerprint(['source', spec.definition]) }
}

/** Returns an item for a limit that deletes more than the default does. Writing no history deletes nothing. */
function limitItem(name: string, limit: Retention | null, usual: Retention): TrustItem | undefined {
  if (limit === null) return undefined
  const { maxCount, maxDays = Number.POSITIVE_INFINITY } = limit
  if (maxCount >= usual.maxCount && maxDays >= (usual.maxDays ?? Number.POSITIVE_INFINITY)) return undefined
  const days = maxDays === Number.POSITIVE_INFINITY ? '' : ` or older than ${maxDays} days`
  return {
    name,
    starts: `deletes what is kept beyond ${maxCount}${days}, of every folder`,
    fingerprint: computeFingerprint([name, maxCount, limit.maxDays ?? null]),
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

/** The record of a folder: `trust/<hash>.json` in the data directory says what the user has trusted there. */
const recordShape = z.object({
  /** The configuration file. Absolute. */
  file: z.string(),
  /** ISO 8601. */
  since: z.string(),
  /** The trusted items: fingerprints, each with the text that the user was shown. */
  agreed: z.record(z.string(), z.string()),
})
type TrustRecord = z.infer<typeof recordShape>

/** Returns undefined if there is no record, or if another user has written it. */
function readRecord(environment: NodeJS.ProcessEnv, file: string): TrustRecord | undefined {
  const record = readRecordFile(recordPath(environment, file))
  return record?.file === file ? record : undefined
}

/** Returns the records of all folders, sorted by file. */
export function listRecords(environment: NodeJS.ProcessEnv): TrustRecord[] {
  const folder = trustFolder(environment)
  try {
    return readdirSync(folder)
      .flatMap(name => readRecordFile(join(folder, name)) ?? [])
      .sort((a, b) => (a.file < b.file ? -1 : 1))
  } catch {
    return []
  }
}

/** Throws the system's error if the data directory cannot be written. */
function writeRecord(environment: NodeJS.ProcessEnv, record: TrustRecord): void {
  const path = recordPath(environment, record.file)
  mkdirSync(trustFolder(environment), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomUUID()}`
  writeFileSync(temporary, JSON.stringify(record, null, 2), { mode: 0o600, flag: 'wx' })
  renameSync(temporary, path)
}

/** Throws the system's error if the record cannot be removed. */
export function removeRecord(environment: NodeJS.ProcessEnv, file: string): void {
  rmSync(recordPath(environment, file), { force: true })
}

function readRecordFile(path: string): TrustRecord | undefined {
  if (!path.endsWith('.json') || !isOwned(path)) return undefined
  try {
    return recordShape.safeParse(parseJson(readFileSync(path, 'utf8'))).data
  } catch {
    return undefined
  }
}

const trustFolder = (environment: NodeJS.ProcessEnv) => join(dataDirectory(environment), 'trust')

function recordPath(environment: NodeJS.ProcessEnv, file: string): string {
  return join(trustFolder(environment), `${createHash('sha256').update(file).digest('hex')}.json`)
}
