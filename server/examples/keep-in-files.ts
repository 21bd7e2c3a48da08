/**
 * Examples as files: `toolscope.examples/<source>/<tool>/<name>.json` beside the configuration. Read again at each
 * request, so that what was edited or pulled shows up at once. Symbolic links are not followed: a repository that
 * somebody else made must not lead us elsewhere.
 */
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExampleProblem, KeptExample } from '../../core/api/examples.ts'
import { AppError, messageOf } from '../../core/errors.ts'
import { maxExampleLength, readExample, writeExample } from '../../core/example/example.ts'
import type { ExampleKeeper, ToolKey } from './example-keeper.ts'
import { fileNameOf, readableName } from './file-name.ts'

const folderName = 'toolscope.examples'

/** Examples of one tool that are read. */
const maxFiles = 500

/** @param directory the absolute folder of the configuration */
export function keepInFiles(directory: string): ExampleKeeper {
  const partsOf = ({ source, tool }: ToolKey) => [folderName, fileNameOf(source), fileNameOf(tool)]
  const read = (key: ToolKey) => readFolder(directory, partsOf(key))
  return {
    place: join(directory, folderName),
    list: async key => {
      const { files, problems } = await read(key)
      return { examples: files.map(({ kept }) => kept), problems }
    },
    save: async (key, example) => {
      const parts = partsOf(key)
      const { files } = await read(key)
      const known = files.find(({ kept }) => kept.name === example.name)
      const file = known?.fileName ?? freeName(example.name, files)
      const text = writeExample(example)
      await write(directory, parts, file, text)
      return { name: example.name, text, file: [...parts, file].join('/') }
    },
    remove: async (key, name) => {
      const { files } = await read(key)
      const folder = join(directory, ...partsOf(key))
      for (const { kept, fileName } of files)
        if (kept.name === name) await attempt(folder, () => rm(join(folder, fileName), { force: true }))
      // A folder that is empty now has nothing to say; one that is not stays.
      await rmdir(folder).catch(() => {})
    },
    strays: async (sources, tools) => {
      const known = new Set(tools.map(key => partsOf(key).join('/')))
      const found: ExampleProblem[] = []
      for (const source of sources) {
        const parts = [folderName, fileNameOf(source)]
        for (const entry of await entriesOf(directory, parts)) {
          const file = [...parts, entry.name].join('/')
          if (entry.isDirectory() && !known.has(file))
            found.push({ file, message: `${source} has no such tool` })
        }
      }
      return found
    },
  }
}

interface ReadFolder {
  readonly files: readonly { readonly kept: KeptExample; readonly fileName: string }[]
  readonly problems: readonly ExampleProblem[]
}

async function readFolder(directory: string, parts: readonly string[]): Promise<ReadFolder> {
  const files: { kept: KeptExample; fileName: string }[] = []
  const problems: ExampleProblem[] = []
  const names = (await entriesOf(directory, parts)).flatMap(entry =>
    /^[^.].*\.json$/i.test(entry.name) && !entry.isDirectory() ? [entry.name] : [],
  )
  const taken = new Map<string, string>()
  for (const fileName of names.sort().slice(0, maxFiles)) {
    const file = [...parts, fileName].join('/')
    const reading = await readFileSafely(join(directory, ...parts, fileName))
    const other = reading.ok ? taken.get(reading.example.name) : undefined
    if (!reading.ok) problems.push({ file, message: reading.message })
    else if (other !== undefined)
      problems.push({ file, message: `${other} has the name "${reading.example.name}" as well` })
    else {
      taken.set(reading.example.name, fileName)
      const { name } = reading.example
      files.push({ kept: { name, text: writeExample(reading.example), file }, fileName })
    }
  }
  if (names.length > maxFiles)
    problems.push({ file: parts.join('/'), message: `only the first ${maxFiles} files are read` })
  files.sort((a, b) => (a.kept.name < b.kept.name ? -1 : 1))
  return { files, problems }
}

async function readFileSafely(path: string): Promise<ReturnType<typeof readExample>> {
  try {
    const status = await lstat(path)
    if (status.isSymbolicLink()) return { ok: false, message: 'it is a symbolic link, which is not followed' }
    if (!status.isFile()) return { ok: false, message: 'it is no file' }
    // A character is four bytes at most.
    if (status.size > 4 * maxExampleLength) return { ok: false, message: 'it is too large for an example' }
    return readExample(await readFile(path, 'utf8'))
  } catch (thrown) {
    return { ok: false, message: `it could not be read: ${messageOf(thrown)}` }
  }
}

/** What stands in a folder; nothing where it is not there. Throws where a part of the way is a symbolic link. */
async function entriesOf(directory: string, parts: readonly string[]) {
  let folder = directory
  for (const part of parts) {
    folder = join(folder, part)
    const status = await lstat(folder).catch(() => null)
    if (status === null) return []
    if (!status.isDirectory())
      throw new AppError(
        'examples-failed',
        `${folder} is no folder of its own (symbolic links are not followed)`,
      )
  }
  return attempt(folder, () => readdir(folder, { withFileTypes: true }))
}

/** Whole or not at all: another program never reads half an example. */
async function write(directory: string, parts: readonly string[], file: string, text: string): Promise<void> {
  const folder = join(directory, ...parts)
  await attempt(folder, async () => {
    await mkdir(folder, { recursive: true })
    // Looks at each part of the way, now that it is there.
    await entriesOf(directory, parts)
    const target = join(folder, file)
    const temporary = join(folder, `.${randomBytes(6).toString('hex')}.tmp`)
    try {
      await writeFile(temporary, text, { flag: 'wx' })
      await rename(temporary, target)
    } finally {
      await rm(temporary, { force: true })
    }
  })
}

/** A file of a name that no other example has. The example's own name stands inside, so this one need only be readable. */
function freeName(name: string, files: ReadFolder['files']): string {
  const taken = new Set(files.map(({ fileName }) => fileName.toLowerCase()))
  const base = readableName(name).toLowerCase() || 'example'
  let file = `${base}.json`
  for (let count = 2; taken.has(file.toLowerCase()); count += 1) file = `${base}-${count}.json`
  return file
}

async function attempt<Value>(folder: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    throw new AppError('examples-failed', `${folder}: ${messageOf(thrown)}`)
  }
}
