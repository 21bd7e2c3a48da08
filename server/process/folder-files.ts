/**
 * Files below a folder with untrusted content, such as a clone or an earlier export. No symbolic link below the folder
 * is followed when reading, writing or removing. Each function throws an Error with the reason.
 */
import { randomBytes } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Returns the entries of a folder; empty if it does not exist. @param path below `base`, with "/" between its parts */
export async function listFolder(base: string, path: string): Promise<Dirent[]> {
  return (await isFolder(base, path)) ? readdir(join(base, path), { withFileTypes: true }) : []
}

/** @param maxBytes a larger file is not read */
export async function readFolderFile(base: string, path: string, maxBytes: number): Promise<string> {
  await isFolder(base, dirname(path))
  const file = join(base, path)
  const status = await lstat(file)
  if (status.isSymbolicLink()) throw new Error('it is a symbolic link, which is not followed')
  if (!status.isFile()) throw new Error('it is not a regular file')
  if (status.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
  return readFile(file, 'utf8')
}

/** Writes a file completely or not at all, replaces an existing one, and creates missing folders. */
export async function writeWholeFile(
  base: string,
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  await isFolder(base, dirname(path))
  const file = join(base, path)
  await mkdir(dirname(file), { recursive: true })
  const temporary = join(dirname(file), `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeFile(temporary, content, { flag: 'wx' })
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Removes a file, or the link in its place. Does nothing if neither exists. */
export async function removeFile(base: string, path: string): Promise<void> {
  if (await isFolder(base, dirname(path))) await rm(join(base, path), { force: true })
}

/** Moves a folder. Does nothing if it does not exist, or if the target folder is not empty. */
export async function moveFolder(base: string, path: string, next: string): Promise<void> {
  if (!(await isFolder(base, path)) || (await listFolder(base, next)).length > 0) return
  await rmdir(join(base, next)).catch(() => {})
  await rename(join(base, path), join(base, next))
}

/** Whether a folder exists below `base`. Throws if a part of the path is a link or a file. */
async function isFolder(base: string, path: string): Promise<boolean> {
  let folder = base
  for (const part of path.split('/')) {
    folder = join(folder, part)
    const status = await lstat(folder).catch(() => null)
    if (status === null) return false
    // `base` itself may be a link, because the user named it.
    if (folder !== base && !status.isDirectory())
      throw new Error(`${folder} is not a folder (symbolic links are not followed)`)
  }
  return true
}
