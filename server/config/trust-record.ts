/** Records what the user has trusted: one file for each folder in the data directory, `trust/<hash>.json`. */

import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../core/json/json.ts'
import { isOwned } from '../process/owner.ts'
import { dataDirectory } from '../store/location.ts'

const recordShape = z.object({
  /** The configuration file. Absolute. */
  file: z.string(),
  /** ISO 8601. */
  since: z.string(),
  /** The trusted items: fingerprints, each with the text that the user was shown. */
  agreed: z.record(z.string(), z.string()),
})
export type TrustRecord = z.infer<typeof recordShape>

/** Returns undefined if there is no record, or if another user has written it. */
export function readRecord(environment: NodeJS.ProcessEnv, file: string): TrustRecord | undefined {
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
export function writeRecord(environment: NodeJS.ProcessEnv, record: TrustRecord): void {
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
