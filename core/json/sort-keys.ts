import { isObject } from './json.ts'

/** Deeper parts stay unchanged, so that a hostile value cannot exhaust the stack. */
const maxDepth = 400

/** Returns the value with the members of every object in code-unit order; numbers keep their digits. */
export function withSortedKeys<Value>(value: Value, depth = 0): Value {
  const sorted: unknown =
    depth > maxDepth
      ? value
      : Array.isArray(value)
        ? value.map(item => withSortedKeys(item, depth + 1))
        : isObject(value)
          ? Object.fromEntries(
              Object.keys(value)
                .sort()
                .map(key => [key, withSortedKeys(value[key], depth + 1)]),
            )
          : value
  // Only the order of members differs, so the type is the same.
  return sorted as Value
}
