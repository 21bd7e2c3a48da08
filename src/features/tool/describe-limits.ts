/** The limits of a value besides its type, each in a few words. */

import type { FormNode } from '../../../core/form/form-node.ts'
import { isObject, own } from '../../../core/json/json.ts'
import { rangeText } from '../../../core/schema/describe.ts'
import { writtenBound } from '../../../core/schema/keywords.ts'
import type { SchemaObject } from '../../../core/schema/schema.ts'
import { plainLine } from '../../../core/text/plain-text.ts'
import { counted, shorten } from '../../../core/text/wording.ts'

const maxCharacters = 500
const maxPatternWithFormat = 40

/** Returns the limits of one level: `1–50`, `pattern ^b-[0-9]+$`, `at least 1 item`, `no other keys` … */
export function describeLimits({ schema, kind }: Pick<FormNode, 'schema' | 'kind'>): string[] {
  const found = [
    worded('format', own(schema, 'format')),
    worded('pattern', pickPattern(schema)),
    rangeText(schema, 'minimum', 'maximum'),
    countRange(schema, 'minLength', 'maxLength', 'character'),
    countRange(schema, 'minItems', 'maxItems', 'item'),
    countRange(schema, 'minProperties', 'maxProperties', 'key'),
    numberText(own(schema, 'multipleOf'), step => `a multiple of ${step}`),
    own(schema, 'uniqueItems') === true && 'unique items',
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

/** Returns the pattern, unless it is long and next to a format: a generator writes both for the same rule. */
function pickPattern(schema: SchemaObject): unknown {
  const pattern = own(schema, 'pattern')
  const isOfFormat = typeof own(schema, 'format') === 'string'
  return isOfFormat && typeof pattern === 'string' && pattern.length > maxPatternWithFormat
    ? undefined
    : pattern
}

function worded(word: string, value: unknown): string | undefined {
  return typeof value === 'string' && value !== ''
    ? `${word} ${shorten(plainLine(value), maxCharacters)}`
    : undefined
}

function keyNames(schema: unknown): string | undefined {
  return isObject(schema) ? worded('keys like', own(schema, 'pattern')) : undefined
}

function numberText(value: unknown, words: (value: number) => string): string | undefined {
  return typeof value === 'number' ? words(value) : undefined
}

function countRange(schema: SchemaObject, min: string, max: string, noun: string): string | undefined {
  const plural = (count: number) => counted(count, noun)
  const [low = 0, high] = [writtenBound(schema, min), writtenBound(schema, max)]
  if (high !== undefined)
    return low === high ? plural(high) : low > 0 ? `${low}–${plural(high)}` : `at most ${plural(high)}`
  return low > 0 ? `at least ${plural(low)}` : undefined
}
