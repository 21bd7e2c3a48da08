/** A schema's pattern as the language's engine takes it, and testing one where nothing can end a runaway match. */

const maxTextLength = 200
/** A repeated group that itself repeats or chooses: where matching time can explode. */
const explosive = /\([^)]*(?:[+*}|])[^)]*\)\s*(?:[+*]|\{\d)/

/** `undefined` when the pattern is invalid, or its cost cannot be foreseen. */
export function testPattern(pattern: string, text: string): boolean | undefined {
  if (text.length > maxTextLength || explosive.test(pattern)) return undefined
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

/**
 * The pattern as the `u` flag takes it: authors write `\-` and `\_`, which only the older mode allows.
 * `null` when it is no regular expression at all.
 */
export function unicodePattern(pattern: string): string | null {
  for (const candidate of [
    pattern,
    pattern.replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])|\\(_)/g, '$1$2'),
    bareDashes(pattern),
  ])
    if (compiles(candidate)) return candidate
  return null
}

function bareDashes(pattern: string): string {
  return pattern.replace(/\\([^A-Za-z0-9^$\\.*+?()[\]{}|/])/g, '$1')
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}
