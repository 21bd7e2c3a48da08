/**
 * MCP Apps: a tool can name an HTML page of its server, which a client shows next to the result (extension
 * `io.modelcontextprotocol/ui`, SEP-1865, revision 2026-01-26).
 */
import { isObject, own } from '../json/json.ts'
import type { Callable } from './tool.ts'

export const appsExtension = 'io.modelcontextprotocol/ui'

/** The MIME type of an app. */
export const appMimeType = 'text/html;profile=mcp-app'

/** The members of a tool's `_meta` that name its app and its callers; empty if it has none. Hostile. */
function readToolMeta({ extra }: Pick<Callable, 'extra'>): {
  readonly ui: { readonly [key: string]: unknown }
  readonly flatUri: unknown
} {
  const meta = extra?._meta
  if (!isObject(meta)) return { ui: {}, flatUri: undefined }
  const ui = own(meta, 'ui')
  return { ui: isObject(ui) ? ui : {}, flatUri: own(meta, 'ui/resourceUri') }
}

/**
 * Returns the address of the tool's app (`ui://…`), also of the earlier flat key; undefined if it has none, or one that
 * is not an address of an app.
 */
export function getAppUri(tool: Pick<Callable, 'kind' | 'extra'>): string | undefined {
  if (tool.kind !== undefined) return undefined
  const { ui, flatUri } = readToolMeta(tool)
  const uri = own(ui, 'resourceUri') ?? flatUri
  return typeof uri === 'string' && /^ui:\/\/\S{1,1000}$/.test(uri) ? uri : undefined
}

export type ToolCaller = 'model' | 'app'

/** Returns who may call the tool, as its server declares it; both if it does not say. */
export function getToolCallers(tool: Pick<Callable, 'extra'>): readonly ToolCaller[] {
  const visibility = own(readToolMeta(tool).ui, 'visibility')
  if (!Array.isArray(visibility)) return ['model', 'app']
  return (['model', 'app'] as const).filter(caller => visibility.includes(caller))
}

/** Returns whether only apps may call the tool: a client does not offer it to a model. */
export function isForAppsOnly(tool: Pick<Callable, 'extra'>): boolean {
  const callers = getToolCallers(tool)
  return callers.includes('app') && !callers.includes('model')
}

/** The permissions of a browser that an app can ask for, with their names in the `allow` attribute of a frame. */
export const appPermissions = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
} as const
export type AppPermission = keyof typeof appPermissions

export const appPermissionNames = Object.keys(appPermissions) as readonly AppPermission[]
