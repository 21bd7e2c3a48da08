/**
 * Which inputs never reach a shell script. llm-functions' runner for Bash turns JSON keys into command-line words
 * through `eval`: the key `a;touch x` would run `touch x`.
 */
import { isObject, own } from '../../../core/json/json.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'

const plainKey = /^[A-Za-z][A-Za-z0-9_-]*$/

/**
 * Null when every key of `input` is declared by `schema` at its place and is plain; else why the call is refused.
 * Keys of the prototype (`constructor`, `__proto__`) are declared only where the schema itself lists them.
 */
export function refuseKeys(input: unknown, schema: JsonSchema): string | null {
  if (!isObject(input)) return 'A Bash tool takes its input as an object.'
  const waiting: { value: unknown; schema: unknown; path: string }[] = [{ value: input, schema, path: '' }]
  // A list of work instead of recursion: hostile depth must not exhaust the stack.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next
    if (Array.isArray(value)) {
      const items = isObject(next.schema) ? own(next.schema, 'items') : undefined
      value.forEach((item, index) => {
        if (typeof item === 'object') waiting.push({ value: item, schema: items, path: `${path}/${index}` })
      })
    } else if (isObject(value)) {
      const properties = isObject(next.schema) ? own(next.schema, 'properties') : undefined
      for (const key of Object.keys(value)) {
        const place = JSON.stringify(`${path}/${key}`.slice(0, 200))
        const declared = isObject(properties) && Object.hasOwn(properties, key)
        if (!declared) return `The tool does not declare the key ${place}.`
        if (!plainKey.test(key))
          return `The key ${place} holds characters that a shell could read as a command.`
        waiting.push({ value: value[key], schema: properties[key], path: `${path}/${key}` })
      }
    }
  }
  return null
}
