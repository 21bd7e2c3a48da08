/** Named scripts as files next to the configuration, which can be committed. */
import { type SavedScript, scriptName } from '../../core/api/scripts.ts'
import { listFolder, readFolderFile, removeFile, writeWholeFile } from '../process/folder-files.ts'

export const scriptFolder = 'toolscope.scripts'
const maxScriptBytes = 256 * 1024
const maxScripts = 500

/** Returns every script in a configuration's directory, by name. Links and other files are left out. */
export async function readScripts(directory: string): Promise<SavedScript[]> {
  const entries = await listFolder(directory, scriptFolder).catch(() => [])
  const names = entries.flatMap(({ name }) => (name.endsWith('.sh') ? [name.slice(0, -'.sh'.length)] : []))
  const scripts = names
    .sort()
    .slice(0, maxScripts)
    .map(async name => {
      try {
        return [{ name, text: await readFolderFile(directory, toScriptPath(name), maxScriptBytes) }]
      } catch {
        return []
      }
    })
  return (await Promise.all(scripts)).flat()
}

/** Writes a script. `name` must be a `scriptName`, because it becomes the file name. */
export async function writeScript(directory: string, name: string, text: string): Promise<void> {
  await writeWholeFile(directory, toScriptPath(name), text.endsWith('\n') ? text : `${text}\n`)
}

export async function deleteScript(directory: string, name: string): Promise<void> {
  await removeFile(directory, toScriptPath(name))
}

function toScriptPath(name: string): string {
  return `${scriptFolder}/${scriptName.parse(name)}.sh`
}
