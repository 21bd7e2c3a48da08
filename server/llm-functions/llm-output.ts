/** The file for the result of one tool call; it is deleted after the call. */
import { constants, rmSync } from 'node:fs'
import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeUtf8 } from '../process/stream-text.ts'

/** Results are cut at this size. */
export const maxResultBytes = 16 * 1024 * 1024

export interface LlmOutput {
  /** The value of `LLM_OUTPUT`. The file exists, is empty, and only its owner can access it. */
  readonly path: string
  /** Reads the result. `cut` is true if it is larger than maxResultBytes. */
  read(): Promise<{ readonly text: string; readonly cut: boolean; readonly validUtf8: boolean }>
  /** Deletes the file and its folder, whatever the tool made of them. Never rejects. */
  remove(): Promise<void>
}

const prefix = 'toolscope-output-'
const opened = new Set<string>()
/** The temporary folder that was already cleaned. */
let swept: string | undefined

export async function createLlmOutput(): Promise<LlmOutput> {
  if (swept !== tmpdir()) await sweep()
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  if (opened.size === 0) process.once('exit', removeAll)
  opened.add(folder)
  const path = join(folder, 'output')
  await writeFile(path, '', { mode: 0o600 })
  return {
    path,
    read: () => readBounded(path),
    async remove() {
      await rm(folder, { recursive: true, force: true, maxRetries: 2 }).catch(() => {})
      opened.delete(folder)
      if (opened.size === 0) process.off('exit', removeAll)
    },
  }
}

/**
 * Deletes folders of Toolscope processes that were killed during a call; the folders' names contain the process id.
 * Runs once per process.
 */
async function sweep(): Promise<void> {
  swept = tmpdir()
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const owner = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length))?.[1] : undefined
    if (owner !== undefined && !isRunning(Number(owner)))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}

/** EPERM means that the process belongs to another user and is running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
  }
}

/** Deletes the folders of running calls when Toolscope exits. */
function removeAll(): void {
  for (const folder of opened) rmSync(folder, { recursive: true, force: true })
}

/**
 * The tool may have replaced the file with a link or a pipe, or deleted it: a link is not followed, and a pipe does not
 * block.
 */
async function readBounded(path: string): ReturnType<LlmOutput['read']> {
  const empty = { text: '', cut: false, validUtf8: true }
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(path, flags).catch(() => null)
  if (file === null) return empty
  try {
    const status = await file.stat()
    if (!status.isFile()) return empty
    const wanted = Math.min(status.size, maxResultBytes)
    const buffer = Buffer.alloc(wanted)
    const { bytesRead } = await file.read(buffer, 0, wanted, 0)
    const { text, valid } = decodeUtf8(buffer.subarray(0, bytesRead))
    return { text, cut: status.size > maxResultBytes, validUtf8: valid }
  } finally {
    await file.close()
  }
}
