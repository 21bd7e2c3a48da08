import { isObject, parseJson } from '../../../../core/json/json.ts'
import { type AppPermission, appPermissionNames } from '../../../../core/tool/tool-app.ts'
import { storage } from '../../../ui/storage.ts'

/** The permissions that the user has granted to the apps of each source, in this browser. */
const grantedKey = 'toolscope:app-permissions'

function readAll(): { readonly [source: string]: unknown } {
  const stored = parseJson(storage.get(grantedKey) ?? '')
  return isObject(stored) ? stored : {}
}

/** Returns the permissions of a source; none unless the user granted them. */
export function readGranted(source: string): readonly AppPermission[] {
  const names = Object.hasOwn(readAll(), source) ? readAll()[source] : undefined
  return Array.isArray(names) ? appPermissionNames.filter(name => names.includes(name)) : []
}

export function storeGranted(source: string, permissions: readonly AppPermission[]): void {
  storage.set(grantedKey, JSON.stringify({ ...readAll(), [source]: permissions }))
}
