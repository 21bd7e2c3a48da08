/** Named scripts: files beside the configuration where the server has one, else kept by this browser. */
import type { SavedScript, ScriptList } from '../../../core/api/scripts.ts'
import type { Backend } from '../../api/backend.ts'
import { isText, storage, storedList } from '../../ui/storage.ts'

const key = 'toolscope:console:scripts'

export async function loadScripts(backend: Backend, signal: AbortSignal): Promise<ScriptList> {
  const list = await backend.request('GET /api/scripts', { signal })
  return list.folder !== null ? list : { folder: null, scripts: readKept() }
}

export async function saveScript(
  backend: Backend,
  list: ScriptList,
  name: string,
  text: string,
): Promise<ScriptList> {
  if (list.folder !== null)
    return backend.request('PUT /api/scripts/{name}', { params: { name }, body: { text } })
  const scripts = [...readKept().filter(each => each.name !== name), { name, text }]
  return keep(scripts.sort((one, other) => (one.name < other.name ? -1 : 1)))
}

export async function removeScript(backend: Backend, list: ScriptList, name: string): Promise<ScriptList> {
  if (list.folder !== null) return backend.request('DELETE /api/scripts/{name}', { params: { name } })
  return keep(readKept().filter(each => each.name !== name))
}

function keep(scripts: readonly SavedScript[]): ScriptList {
  storage.set(key, JSON.stringify(scripts))
  return { folder: null, scripts: readKept() }
}

const readKept = () => storedList(key, isScript)

function isScript(value: unknown): value is SavedScript {
  const { name, text } = (value ?? {}) as Partial<SavedScript>
  return isText(name) && isText(text)
}
