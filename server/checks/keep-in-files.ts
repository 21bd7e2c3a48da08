/**
 * Keeps examples as files: `toolscope.examples/<source>/<tool>/<name>.json` next to the configuration. Each request
 * reads them again, so that edited or pulled files appear immediately. Symbolic links are not followed, because a
 * cloned repository must not redirect reads or writes.
 */

import { createHash } from 'node:crypto'
import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredExample } from '../../core/api/examples.ts'
import {
  type ExampleProblem,
  maxExampleLength,
  readExample,
  writeExample,
} from '../../core/checks/example.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { freeName } from '../../core/text/free-name.ts'
import {
  listFolder,
  moveFolder,
  readFolderFile,
  removeFile,
  writeWholeFile,
} from '../process/folder-files.ts'
import type { ExampleKeeper, ToolKey } from './example-keeper.ts'

const folderName = 'toolscope.examples'

/** At most this many examples of one tool are read. */
const maxFiles = 500

/** @param directory the absolute folder of the configuration */
export function keepInFiles(directory: string): ExampleKeeper {
  const toExampleFolder = ({ source, tool }: ToolKey) =>
    `${folderName}/${toExampleFileName(source)}/${toExampleFileName(tool)}`
  const read = (key: ToolKey) => readFolder(directory, toExampleFolder(key))
  return {
    place: join(directory, folderName),
    list: async key => {
      const { files, problems } = await read(key)
      return { examples: files.map(({ stored }) => stored), problems }
    },
    save: async (key, example) => {
      const { files } = await read(key)
      const known = files.find(({ stored }) => stored.name === example.name)
      const file = `${toExampleFolder(key)}/${known?.fileName ?? fileFor(example.name, files)}`
      const text = writeExample(example)
      await attempt(writeWholeFile(directory, file, text))
      return { name: example.name, text, file }
    },
    remove: async (key, name) => {
      const { files } = await read(key)
      for (const { stored, fileName } of files)
        if (stored.name === name) await attempt(removeFile(directory, `${toExampleFolder(key)}/${fileName}`))
      // A folder that is not empty stays.
      await rmdir(join(directory, toExampleFolder(key))).catch(() => {})
    },
    renameSource: (name, next) =>
      attempt(
        moveFolder(
          directory,
          `${folderName}/${toExampleFileName(name)}`,
          `${folderName}/${toExampleFileName(next)}`,
        ),
      ),
    strays: async (sources, tools) => {
      const known = new Set(tools.map(toExampleFolder))
      const found: ExampleProblem[] = []
      for (const source of sources) {
        const folder = `${folderName}/${toExampleFileName(source)}`
        for (const entry of await attempt(listFolder(directory, folder))) {
          const file = `${folder}/${entry.name}`
          if (entry.isDirectory() && !known.has(file))
            found.push({ file, message: `${source} has no such tool` })
        }
      }
      return found
    },
  }
}

interface ReadFolder {
  readonly files: readonly { readonly stored: StoredExample; readonly fileName: string }[]
  readonly problems: readonly ExampleProblem[]
}

async function readFolder(directory: string, folder: string): Promise<ReadFolder> {
  const files: { stored: StoredExample; fileName: string }[] = []
  const problems: ExampleProblem[] = []
  const names = (await attempt(listFolder(directory, folder))).flatMap(entry =>
    /^[^.].*\.json$/i.test(entry.name) && !entry.isDirectory() ? [entry.name] : [],
  )
  const taken = new Map<string, string>()
  for (const fileName of names.sort().slice(0, maxFiles)) {
    const file = `${folder}/${fileName}`
    const reading = await readOne(directory, file)
    const other = reading.ok ? taken.get(reading.example.name) : undefined
    if (!reading.ok) problems.push({ file, message: reading.message })
    else if (other !== undefined)
      problems.push({ file, message: `${other} has the name "${reading.example.name}" as well` })
    else {
      taken.set(reading.example.name, fileName)
      const { name } = reading.example
      files.push({ stored: { name, text: writeExample(reading.example), file }, fileName })
    }
  }
  if (names.length > maxFiles)
    problems.push({ file: folder, message: `only the first ${maxFiles} files are read` })
  files.sort((a, b) => (a.stored.name < b.stored.name ? -1 : 1))
  return { files, problems }
}

async function readOne(directory: string, file: string): Promise<ReturnType<typeof readExample>> {
  try {
    // A character has at most four bytes.
    return readExample(await readFolderFile(directory, file, 4 * maxExampleLength))
  } catch (thrown) {
    return { ok: false, message: toErrorMessage(thrown) }
  }
}

/**
 * Returns a file name that no other example uses. The file contains the example's own name, so the file name only has
 * to be readable.
 */
function fileFor(name: string, files: ReadFolder['files']): string {
  const taken = new Set(files.map(({ fileName }) => fileName.toLowerCase()))
  const base = readableName(name).toLowerCase() || 'example'
  return freeName(`${base}.json`, taken, number => `${base}-${number}.json`)
}

async function attempt<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (thrown) {
    throw new AppError('files-failed', toErrorMessage(thrown))
  }
}

/** Names that are used unchanged: lower case, because some systems treat `a` and `A` as the same. */
const plain = /^[a-z0-9_](?:[a-z0-9_. -]{0,78}[a-z0-9_-])?$/

/** Device names of Windows, with or without an extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i

/**
 * Returns the name itself if it is harmless, else its readable part and a hash of the whole name
 * (`getUser~8d1c02f4ab`). Different names give different file names, even on systems that ignore case, and no name
 * leads out of its folder. A plain name never contains `~`, so it cannot equal a hashed one. At most 99 characters.
 */
export function toExampleFileName(name: string): string {
  if (plain.test(name) && !reserved.test(name)) return name
  const mark = createHash('sha256').update(name, 'utf8').digest('hex').slice(0, 10)
  return `${readableName(name)}~${mark}`
}

/**
 * Returns the part of a name that every system accepts, at most 60 characters. Different names may give the same part.
 */
function readableName(name: string): string {
  const words = name.normalize('NFKD').replace(/[^A-Za-z0-9_]+/g, '-')
  const short = words.slice(0, 60).replace(/^-+|-+$/g, '')
  return reserved.test(short) ? `_${short}` : short
}
