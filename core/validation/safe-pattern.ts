/** Testing a schema's pattern where nothing can end a runaway match. */
import { unicodePattern } from './prepare-schema.ts'

const longestText = 200
/** A repeated group that itself repeats or chooses: where matching time can explode. */
const explosive = /\([^)]*(?:[+*}|])[^)]*\)\s*(?:[+*]|\{\d)/

/** `undefined` when the pattern is invalid, or its cost cannot be foreseen. */
export function testPattern(pattern: string, text: string): boolean | undefined {
  if (text.length > longestText || explosive.test(pattern)) return undefined
  const source = unicodePattern(pattern)
  return source === null ? undefined : new RegExp(source, 'u').test(text)
}

/** True when a schema holds a pattern that must not be run on the page itself. */
export function hasExplosivePattern(schema: unknown): boolean {
  const queue: unknown[] = [schema]
  for (let index = 0; index < queue.length; index++) {
    const node = queue[index]
    if (index > 5000) return true
    if (typeof node === 'string' && explosive.test(node)) return true
    if (typeof node === 'object' && node !== null) queue.push(...Object.keys(node), ...Object.values(node))
  }
  return false
}
