/** An input as text and value. */
import { AppError, messageOf } from '../../core/errors.ts'
import { readJson } from '../../core/json/json-text.ts'

/** Empty text is an empty object. Throws AppError `input-invalid` with the line and column of the first error. */
export function parseInput(text: string): { text: string; value: unknown } {
  const trimmed = text.trim()
  if (trimmed === '') return { text: '{}', value: {} }
  try {
    return { text: trimmed, value: JSON.parse(trimmed) }
  } catch (thrown) {
    // Blanks that JSON does not know, such as a byte order mark, were cut off: they are not the error.
    const reading = readJson(text.replace(/^\s+/, blanks => blanks.replace(/[^\n]/g, ' ')))
    throw new AppError('input-invalid', reading.ok ? messageOf(thrown) : reading.message)
  }
}
