/** The meta-schemas of JSON Schema 2020-12, for schemas that refer to them; loaded on demand. */

let loaded: readonly unknown[] = []

/** Loads them once, from the validator that carries them. */
export async function loadMetaSchemas(): Promise<void> {
  if (loaded.length > 0) return
  const { default: module } = await import('ajv/dist/refs/json-schema-2020-12/index.js')
  const found: unknown[] = []
  const collector = { addMetaSchema: (schema: unknown) => found.push(schema) }
  // A CommonJS module: its default export is a level deeper where the loader does not unwrap it.
  const add = typeof module === 'function' ? module : (module as { default: typeof module }).default
  Reflect.apply(add, collector, [])
  loaded = found
}

/** Empty until they are loaded. */
export function metaSchemas(): readonly unknown[] {
  return loaded
}
