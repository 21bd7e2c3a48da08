/** Named scripts as files beside the configuration, fit for committing. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SavedScript, scriptName } from '../../core/api/scripts.ts'

export const SCRIPT_FOLDER = 'toolscope.scripts'
const MAX_BYTES = 256 * 1024
const MAX_SCRIPTS = 500

/** Every script of the folder, by name; none where there is no such folder. */
export function readScripts(folder: string): SavedScript[] {
  let files: string[]
  try {
    files = readdirSync(folder)
  } catch {
    return []
  }
  return files
    .filter(file => file.endsWith('.sh'))
    .sort()
    .slice(0, MAX_SCRIPTS)
    .flatMap(file => readScript(folder, file.slice(0, -'.sh'.length)))
}

/** `name` must be a `scriptName`: it becomes the name of the file. */
export function writeScript(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(folder, name), text.endsWith('\n') ? text : `${text}\n`)
}

export function deleteScript(folder: string, name: string): void {
  rmSync(fileOf(folder, name), { force: true })
}

function readScript(folder: string, name: string): SavedScript[] {
  try {
    const path = fileOf(folder, name)
    const status = statSync(path)
    if (!status.isFile() || status.size > MAX_BYTES) return []
    return [{ name, text: readFileSync(path, 'utf8') }]
  } catch {
    // Not one of ours: another name, or gone meanwhile.
    return []
  }
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${scriptName.parse(name)}.sh`)
}
