/**
 * Makes a readable example of a pattern: the author's own text if there is one, else a generated text if it is
 * readable.
 */
import type { SchemaObject } from '../schema/schema.ts'
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
    typeof description === 'string'
      ? [...readDescribedExamples(description), ...quotedTexts(description)]
      : []
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

/** Finds the examples that a description names in words: "e.g. pods", "such as `2026-11`", "Example: [1, 2]". */

const maxDescription = 4_000
const maxExamples = 12
/** A longer phrase without quotes is a sentence, not a value. */
const maxBareWords = 3
const maxBareLength = 80

/** The words after which a description names a value. After `like`, only a text in quotes is one. */
const markers =
  /(?<![\p{L}\p{N}])(?:e\.\s?g\.?|eg\.|ex\.|for (?:example|instance)|such as|examples?(?: values?)?(?=\s*[:=])|like(?=\s+["'`“‘]))/giu

const quoted = /`([^`\n]+)`|["“]([^"“”\n]+)["”]|(?<![\p{L}\p{N}])['‘]([^'‘’\n]+)['’](?![\p{L}\p{N}])/uy

/** The beginnings of phrases without quotes that describe a value instead of giving one. */
const prose =
  /^(?:an?|the|this|that|these|those|it|its|if|when|where|which|use|using|to|for|from|in|on|by|with|your|you|any|all|other|only|not|no|see|how|what|some|one|two)(?:\s|$)/i

/** A form to fill in, such as YYYY-MM-DD or <id>. */
const placeholder = /^(?:[YMDHSTZhms]{1,4}(?:[-/:.\sT][YMDHSTZhmsx]{1,4})+|<[^>]*>|\.\.\.|…)$/

/**
 * Returns the values that a description gives as examples, in its order, as texts: at most 12, from its first 4,000
 * characters. A JSON list or object is one text.
 */
export function readDescribedExamples(description: string): string[] {
  const text = description.slice(0, maxDescription)
  const found: string[] = []
  for (const { 0: marker, index } of text.matchAll(markers))
    for (const example of readExamples(text, index + marker.length))
      if (found.length < maxExamples && !found.includes(example) && !placeholder.test(example))
        found.push(example)
  return found
}

/** Returns the texts in quotes or backticks, in the order of the description. */
function quotedTexts(description: string): string[] {
  const anywhere = new RegExp(quoted.source, 'gu')
  return [...description.slice(0, maxDescription).matchAll(anywhere)].map(
    ([, ...groups]) => groups.find(Boolean) ?? '',
  )
}

/** Yields the examples after a marker, which are separated by commas or "or". */
function* readExamples(text: string, from: number): Generator<string> {
  let position = from + (/^[\s:=,(]*/.exec(text.slice(from))?.[0].length ?? 0)
  for (let count = 0; count < maxExamples && position < text.length; count++) {
    const next = readOne(text, position)
    if (next === undefined) return
    yield next.example
    const separator = /^\s*(?:,\s*(?:or|and)?|;|\/|\bor\b|\band\b|\||-(?=\s*["'`]))\s*/.exec(
      text.slice(next.end),
    )
    if (separator === null) return
    position = next.end + separator[0].length
  }
}

function readOne(
  text: string,
  start: number,
): { readonly example: string; readonly end: number } | undefined {
  const json = readBalanced(text, start)
  if (json !== undefined) return { example: json, end: start + json.length }
  quoted.lastIndex = start
  const inQuotes = quoted.exec(text)
  if (inQuotes !== null)
    return { example: inQuotes.slice(1).find(Boolean) ?? '', end: start + inQuotes[0].length }
  const bare = readBare(text.slice(start, start + 200))
  return bare === undefined
    ? undefined
    : { example: bare, end: start + text.slice(start).indexOf(bare) + bare.length }
}

/** A phrase without quotes ends at a sign that ends a phrase, or at a word that goes on with the sentence. */
const endOfPhrase =
  /[,;)\n"`“”]|\.(?=\s|$|[-*])|\s(?:or|and|to|for|on|as|in|is|at|of|means|represents|will|returns|matches|would|with|=|-|–|—|→|->)(?=\s)|(?<=\d)–|\s\(|[:!?](?=\s|$)|\setc\b/

function readBare(rest: string): string | undefined {
  const phrase = rest.split(endOfPhrase, 1)[0]?.trim() ?? ''
  // A closing sign without its opening sign belongs to the text around.
  const example = phrase.replace(/['’\]}]+$/, closing => (/[[{'‘]/.test(phrase) ? closing : ''))
  if (example === '' || example === 'etc' || example.length > maxBareLength || prose.test(example))
    return undefined
  return example.split(/\s+/).length > maxBareWords ? undefined : example
}

/** Returns the JSON list or object that begins at `start`, if it ends in the text. */
function readBalanced(text: string, start: number): string | undefined {
  if (!/[[{]/.test(text[start] ?? '')) return undefined
  let depth = 0
  for (let index = start; index < text.length; index++) {
    const sign = text[index] ?? ''
    if ('[{'.includes(sign)) depth += 1
    else if (']}'.includes(sign)) depth -= 1
    if (depth === 0) return text.slice(start, index + 1)
  }
  return undefined
}
