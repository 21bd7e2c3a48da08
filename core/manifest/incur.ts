import { isObject, own, type UnknownObject } from '../json/json.ts'
import type { JsonSchema, ManifestTool } from '../tool/tool.ts'
import { type EntryFields, type EntryShape, without } from './tool-entry.ts'

/** How to convert an input to incur's command line. */
export interface IncurCall {
  /** Properties that are positional arguments, in their order. */
  readonly positionals: readonly string[]
  /** Properties that are options, and the flag of each (`dryRun` → `--dry-run`). */
  readonly options: readonly { readonly property: string; readonly flag: string }[]
}

/**
 * A command of `--llms-full --format json`: `{name, description?, schema?: {args?, options?, output?}, examples?}`.
 * Arguments and options become one input schema; `extra.incur` (IncurCall) says which is which.
 */
export const incurCommand: EntryShape = {
  matches: entry => Object.hasOwn(entry, 'schema'),
  read: entry => {
    const schema = own(entry, 'schema')
    const sections: UnknownObject = isObject(schema) ? schema : {}
    const extra = without(entry, ['name', 'description', 'schema'])
    const fields = { name: own(entry, 'name'), description: own(entry, 'description') }
    const unusable = ['args', 'options']
      .map(key => own(sections, key))
      .find(part => part !== undefined && !isObject(part))
    if ((schema !== undefined && !isObject(schema)) || unusable !== undefined)
      return { ...fields, inputSchema: unusable ?? schema, extra }
    return { ...fields, ...join(sections, extra), outputSchema: own(sections, 'output') }
  },
}

function join(sections: UnknownObject, extra: UnknownObject): Pick<EntryFields, 'inputSchema' | 'extra'> {
  const args = section(sections, 'args')
  const options = section(sections, 'options')
  // A name may be both an argument and an option; the property of the option then keeps its dashes.
  const toPropertyName = (name: string) => (Object.hasOwn(args.properties, name) ? `--${name}` : name)
  const properties = Object.fromEntries([
    ...Object.entries(args.properties),
    ...Object.entries(options.properties).map(([name, value]) => [toPropertyName(name), value] as const),
  ])
  const required = [...args.required, ...options.required.map(toPropertyName)]
  const definitions = { ...args.definitions, ...options.definitions }
  const inputSchema: JsonSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
    additionalProperties: false,
  }
  const incur: IncurCall = {
    positionals: Object.keys(args.properties),
    options: Object.keys(options.properties).map(name => ({
      property: toPropertyName(name),
      flag: toIncurFlag(name),
    })),
  }
  return { inputSchema, extra: { ...extra, incur } }
}

/** Returns incur's flag: `--config-schema` for `configSchema`. */
function toIncurFlag(name: string): string {
  return `--${name.replace(/[A-Z]/gu, letter => `-${letter.toLowerCase()}`)}`
}

function section(sections: UnknownObject, key: string) {
  const schema = own(sections, key)
  const fields: UnknownObject = isObject(schema) ? schema : {}
  const map = (keyword: string): UnknownObject => {
    const value = own(fields, keyword)
    return isObject(value) ? value : {}
  }
  const required = own(fields, 'required')
  return {
    properties: map('properties'),
    definitions: map('$defs'),
    required: Array.isArray(required) ? required.filter(name => typeof name === 'string') : [],
  }
}

/** Returns how to convert the input of a tool that this file read. Only this file writes `extra.incur`. */
export function readIncurCall(tool: { readonly extra?: ManifestTool['extra'] }): IncurCall {
  const call = own(tool.extra ?? {}, 'incur')
  return isObject(call) ? (call as unknown as IncurCall) : { positionals: [], options: [] }
}
