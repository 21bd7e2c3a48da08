/** An input as text and value. */
import { AppError, messageOf } from '../../core/errors.ts'

/** Empty text is an empty object. Throws AppError `input-invalid` with the parser's own words and place. */
export function parseInput(text: string): { text: string; value: unknown } {
  const trimmed = text.trim()
  if (trimmed === '') return { text: '{}', value: {} }
  try {
    return { text: trimmed, value: JSON.parse(trimmed) }
  } catch (thrown) {
    throw new AppError('input-invalid', messageOf(thrown), {
      output: trimmed.slice(0, 200),
    })
  }
}
