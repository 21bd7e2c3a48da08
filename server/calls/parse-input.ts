/** Parses an input into its text and its value. */
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { readJson } from '../../core/json/json-text.ts'

/** Empty text is an empty object. Throws AppError `input-invalid` with the line and column of the first error. */
export function parseInput(text: string): { text: string; value: unknown } {
  const trimmed = text.trim()
  if (trimmed === '') return { text: '{}', value: {} }
  try {
    return { text: trimmed, value: JSON.parse(trimmed) }
  } catch (thrown) {
    // `trim` removed blanks that JSON does not allow, such as a byte order mark: they must not be reported as the
    // error.
    const reading = readJson(text.replace(/^\s+/, blanks => blanks.replace(/[^\n]/g, ' ')))
    throw new AppError('input-invalid', reading.ok ? toErrorMessage(thrown) : reading.message)
  }
}
