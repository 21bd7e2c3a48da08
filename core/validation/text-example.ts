/**
 * Makes a readable example of a pattern: the author's own text if there is one, else a generated text if it is
 * readable.
 */
import type { SchemaObject } from '../schema/schema.ts'
import { describedExamples, quotedTexts } from './described-examples.ts'
import { pseudoRandom } from './random.ts'
import { testPattern } from './safe-pattern.ts'
import { formatSamples } from './sample-format.ts'
import { samplePattern } from './sample-pattern.ts'

const maxExampleLength = 60
/** Longer runs of random letters are not readable. */
const maxMadeLetters = 8
const maxMadeDigits = 16
const seeds = [11, 12, 13, 14]

/**
 * Returns a text that shows the pattern of `schema`; undefined if only gibberish matches, because the pattern itself is
 * clearer then.
 */
export function textExample(schema: SchemaObject, pattern: string): string | undefined {
  const stated = statedText(schema)
  if (stated !== undefined && stated.length <= maxExampleLength) return stated
  // A pattern that many formats match is not specific to any of them.
  const formats = formatSamples.filter(text => fits(text, schema))
  if (formats.length > 0 && formats.length <= 2) return formats[0]
  for (const seed of seeds) {
    const made = samplePattern(pattern, pseudoRandom(seed))
    if (made !== null && fits(made, schema) && isReadable(made, pattern)) return made
  }
  return undefined
}

/**
 * Returns the author's own text that matches the schema: from its examples, its default, or quotes in its description.
 */
export function statedText(schema: SchemaObject): string | undefined {
  const { examples, example, default: preset, description } = schema
  const stated: unknown[] = [...(Array.isArray(examples) ? examples : []), example, preset]
  const words =
    typeof description === 'string' ? [...describedExamples(description), ...quotedTexts(description)] : []
  for (const text of [...stated, ...words]) if (typeof text === 'string' && fits(text, schema)) return text
  return undefined
}

function fits(text: string, { pattern, minLength, maxLength }: SchemaObject): boolean {
  const length = [...text].length
  return (
    length >= (typeof minLength === 'number' ? minLength : 0) &&
    length <= (typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY) &&
    (typeof pattern !== 'string' || testPattern(pattern, text) === true)
  )
}

/**
 * Returns whether a generated text is useful to the user. It is not if it is empty or long, if it has signs that the
 * pattern does not name, if most of it is signs, or if it has long runs of random letters or digits.
 */
export function isReadable(text: string, pattern: string): boolean {
  if (text === '' || text.length > maxExampleLength || text.trim() !== text) return false
  const signs = text.match(/[^\p{L}\p{N}]/gu) ?? []
  if (signs.some(sign => !' -_.'.includes(sign) && !pattern.includes(sign))) return false
  if (signs.length * 2 > text.length) return false
  const runs = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return runs.every(run => {
    const most = /^\p{N}+$/u.test(run) ? maxMadeDigits : maxMadeLetters
    return run.length <= most || pattern.includes(run)
  })
}
