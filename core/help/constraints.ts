/** What a value must keep to besides its type, each in a few words. */

import type { FormNode } from '../form/form-node.ts'
import { isObject, own } from '../json/json.ts'
import { isNoiseBound } from '../json-schema/noise.ts'
import type { SchemaObject } from '../json-schema/resolve-ref.ts'
import { counted as times } from '../text/counted.ts'
import { plainLine } from './plain-text.ts'

const longest = 500
const longestBesideFormat = 40

/** `1–50`, `pattern ^b-[0-9]+$`, `at least 1 item`, `no other keys` … for one level; noise such as 2^53 is left out. */
export function constraintsOf({ schema, kind }: Pick<FormNode, 'schema' | 'kind'>): string[] {
  const found = [
    worded('format', own(schema, 'format')),
    worded('pattern', patternOf(schema)),
    range(schema),
    counted(schema, 'minLength', 'maxLength', 'character'),
    counted(schema, 'minItems', 'maxItems', 'item'),
    counted(schema, 'minProperties', 'maxProperties', 'key'),
    number(own(schema, 'multipleOf'), step => `a multiple of ${step}`),
    own(schema, 'uniqueItems') === true && 'no item twice',
    worded('content', own(schema, 'contentMediaType')),
    worded('encoded as', own(schema, 'contentEncoding')),
    keyNames(own(schema, 'propertyNames')),
    kind === 'object' && own(schema, 'additionalProperties') === false && 'no other keys',
    own(schema, 'readOnly') === true && 'read-only',
    own(schema, 'writeOnly') === true && 'write-only',
    own(schema, 'deprecated') === true && 'deprecated',
  ]
  return found.filter(words => typeof words === 'string')
}

/** A generator writes a long pattern beside the format that says the same in a word. */
function patternOf(schema: SchemaObject): unknown {
  const pattern = own(schema, 'pattern')
  const isOfFormat = typeof own(schema, 'format') === 'string'
  return isOfFormat && typeof pattern === 'string' && pattern.length > longestBesideFormat
    ? undefined
    : pattern
}

function worded(word: string, value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? `${word} ${shorten(plainLine(value))}` : undefined
}

function keyNames(schema: unknown): string | undefined {
  return isObject(schema) ? worded('keys like', own(schema, 'pattern')) : undefined
}

function number(value: unknown, words: (value: number) => string): string | undefined {
  return typeof value === 'number' ? words(value) : undefined
}

function range(schema: SchemaObject): string | undefined {
  const bound = (keyword: string) => {
    const value = own(schema, keyword)
    return typeof value === 'number' && !isNoiseBound(keyword, value) ? value : undefined
  }
  const [low, high] = [bound('minimum'), bound('maximum')]
  if (low !== undefined && high !== undefined) return low === high ? `${low}` : `${low}–${high}`
  const [above, below] = [bound('exclusiveMinimum'), bound('exclusiveMaximum')]
  const lower = low !== undefined ? `≥ ${low}` : above !== undefined && `> ${above}`
  const upper = high !== undefined ? `≤ ${high}` : below !== undefined && `< ${below}`
  return [lower, upper].filter(Boolean).join(', ') || undefined
}

function counted(schema: SchemaObject, least: string, most: string, what: string): string | undefined {
  const count = (keyword: string) => {
    const value = own(schema, keyword)
    return typeof value === 'number' && !isNoiseBound(keyword, value) ? value : undefined
  }
  const plural = (amount: number) => times(amount, what)
  const [low = 0, high] = [count(least), count(most)]
  if (high !== undefined)
    return low === high ? plural(high) : low > 0 ? `${low}–${plural(high)}` : `at most ${plural(high)}`
  return low > 0 ? `at least ${plural(low)}` : undefined
}

function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
