const printed = new WeakMap<object, string>()

/**
 * Formats a part of a schema or a witness as readable JSON. Never throws: a value that is nested too deep gives a note.
 */
export function printValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'absent'
  const known = printed.get(value)
  if (known !== undefined) return known
  let text: string
  try {
    text = JSON.stringify(value, null, 2)
  } catch {
    text = '(nested too deeply to be shown)'
  }
  // Short values are on one line. Only layout is joined, because line ends inside strings are escaped.
  const line = text.length < 400 ? text.replace(/\n\s*/g, ' ') : text
  const result = line.length <= 90 ? line : text
  printed.set(value, result)
  return result
}
