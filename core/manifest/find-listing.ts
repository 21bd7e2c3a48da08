import { isObject, own, type UnknownObject } from '../json/json.ts'

/** Where a document keeps its list of tools. */
export interface Listing {
  readonly entries: readonly unknown[]
  /** `bare` is an array without anything around it. */
  readonly envelope: 'bare' | 'tools' | 'functions' | 'incur'
  /** The object that holds the list, for what else it says (`instructions`, `nextCursor`). */
  readonly holder: UnknownObject
}

/** Finds the list: bare, under `tools` or `functions`, in a JSON-RPC answer, or incur's `commands`. */
export function findListing(json: unknown): Listing | undefined {
  if (Array.isArray(json)) {
    const plausible = json.length === 0 || json.some(entry => isObject(entry) && looksLikeTool(entry))
    return plausible ? { entries: json, envelope: 'bare', holder: {} } : undefined
  }
  if (!isObject(json)) return undefined
  const result = own(json, 'result')
  const holder = isObject(result) && !Object.hasOwn(json, 'tools') ? result : json
  const version = own(holder, 'version')
  const commands = own(holder, 'commands')
  if (Array.isArray(commands) && typeof version === 'string' && version.startsWith('incur'))
    return { entries: commands, envelope: 'incur', holder }
  for (const envelope of ['tools', 'functions'] as const) {
    const entries = own(holder, envelope)
    if (Array.isArray(entries)) return { entries, envelope, holder }
  }
  return undefined
}

function looksLikeTool(entry: UnknownObject): boolean {
  return ['name', 'parameters', 'inputSchema', 'input_schema', 'function'].some(key =>
    Object.hasOwn(entry, key),
  )
}
