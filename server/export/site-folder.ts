/**
 * Writes an export into a folder. Files other than the page and the feeds have a content hash in their path, so they
 * never overwrite a file in use. The page is replaced last, in one step, and files of the previous export are deleted
 * after that. If the process is killed, the folder still contains a complete export.
 */
import { mkdir, readdir, readFile, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { removeFile, writeWholeFile } from '../process/folder-files.ts'

/** Marks a folder as an export, and lists the export's own files. */
const markerName = 'toolscope-export.json'

/** Paths that an export writes: never upward, never absolute. */
const ownPath = z.string().regex(/^(?:index\.html|favicon\.svg|(?:assets|changelog|data\/\w+)\/\w[\w.-]*)$/)
const marker = z.object({ toolscope: z.literal('export'), files: z.array(ownPath) })

export type SiteFiles = ReadonlyMap<string, string | Uint8Array>

/**
 * Writes the files and leaves other files alone.
 *
 * @param force also if the folder contains files and is not an export
 * @throws AppError `export-refused` if the folder is not ours to fill, or cannot be written
 */
export async function writeSite(folder: string, files: SiteFiles, force: boolean): Promise<void> {
  try {
    const before = await readBefore(folder, force)
    await mkdir(folder, { recursive: true })
    const page = 'index.html'
    for (const [path, content] of files) if (path !== page) await writeWholeFile(folder, path, content)
    const own = [...files.keys()].sort()
    // Written first, so that the next run knows the files of a run that is interrupted.
    await writeWholeFile(folder, markerName, markerText([...new Set([...before, ...own])]))
    await writeWholeFile(folder, page, files.get(page) ?? '')
    for (const path of before) if (!files.has(path)) await removeFile(folder, path)
    for (const path of before) await removeEmpty(folder, dirname(path))
    await writeWholeFile(folder, markerName, markerText(own))
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    throw new AppError('export-refused', `${folder}: ${toErrorMessage(thrown)}`, {
      hint: 'See whether the folder may be written.',
    })
  }
}

/** Throws if `writeSite` would, before any work is done. */
export async function mayWriteSite(folder: string, force: boolean): Promise<void> {
  await readBefore(folder, force)
}

/** Returns the files of the export in the folder; empty if the folder is empty or does not exist. */
async function readBefore(folder: string, force: boolean): Promise<readonly string[]> {
  const status = await stat(folder).catch(() => null)
  if (status === null) return []
  if (!status.isDirectory()) throw new AppError('export-refused', `${folder} is a file`)
  const entries = await readdir(folder)
  if (entries.length === 0) return []
  const text = await readFile(join(folder, markerName), 'utf8').catch(() => '')
  try {
    return marker.parse(JSON.parse(text)).files
  } catch {
    if (force) return []
    throw new AppError('export-refused', `${folder} is not empty, and no export of Toolscope`, {
      hint: 'Name an empty folder, or add --force: the files of the export are then added to what is there.',
    })
  }
}

async function removeEmpty(folder: string, path: string): Promise<void> {
  if (path !== '.') await rmdir(join(folder, path)).catch(() => {})
}

function markerText(files: readonly string[]): string {
  return `${JSON.stringify({ toolscope: 'export', files }, null, 2)}\n`
}
