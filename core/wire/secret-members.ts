/**
 * Finds the members of JSON with the name of a secret in any text: a message, a list of messages, JSON inside a text of
 * JSON at any depth, JSON that was cut, and a line of a log with JSON in it.
 */
import { isObject, parseJson } from '../json/json.ts'
import { isDescribingName, isOpenName } from '../tool/is-secret.ts'
import { mask } from '../tool/mask.ts'

/** A secret text or number: the value of a member, or a part of an object or a list that is the value of a member. */
export interface SecretMember {
  readonly name: string
  /** The positions of the value in the text, without its quotes. */
  readonly start: number
  readonly end: number
  readonly isText: boolean
  /** How many backslashes are before its quotes: 0, 1 in JSON inside JSON, 3, 7 … */
  readonly escapes: number
}

/**
 * Returns the secret members of a text, in their order. A value that does not end reaches to the end of the text. The
 * parts of an object that is a schema are not values.
 */
export function findSecretMembers(
  text: string,
  isSecret: (name: string) => boolean,
): readonly SecretMember[] {
  const pattern = /(\\{0,64})"([\w .$@/:-]{1,100})\1"\s{0,20}:\s{0,20}(?=\1"|-?\d|[[{])/g
  const members: SecretMember[] = []
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [whole, { length: escapes } = '', name = ''] = found
    if (!isSecret(name)) continue
    const from = found.index + whole.length
    const sign = text[from]
    if (sign !== '{' && sign !== '[') {
      const member = readValue(text, from, name, escapes)
      members.push(member)
      pattern.lastIndex = member.end
    } else if (!isOpenName(name)) {
      const { values, end } = readValues(text, from, name, escapes)
      if (isSchemaText(text.slice(from, Math.min(end, from + maxSchemaCharacters + 1)), escapes)) continue
      for (const value of values) members.push(value)
      pattern.lastIndex = end
    }
  }
  return members
}

/** Returns the text with the values of members replaced. */
export function hideMembers(text: string, members: readonly SecretMember[]): string {
  let visible = ''
  let copied = 0
  for (const { start, end, isText, escapes } of members) {
    const quote = isText ? '' : `${'\\'.repeat(escapes)}"`
    visible += `${text.slice(copied, start)}${quote}${start === end ? '' : mask}${quote}`
    copied = end
  }
  return copied === 0 ? text : visible + text.slice(copied)
}

/** Returns the value of a member without the escapes of JSON. */
export function readMember(text: string, { start, end, isText, escapes }: SecretMember): string {
  const raw = text.slice(start, end)
  return isText ? unescapeJson(raw, escapes) : raw
}

/** Returns a text as the JSON around it, and the JSON around that, means it. */
function unescapeJson(raw: string, escapes: number): string {
  let value = raw
  for (let left = 2 * escapes + 1; left > 0; left = (left - 1) >> 1) {
    const outer = parseJson(`"${value}"`)
    if (typeof outer !== 'string') break
    value = outer
  }
  return value
}

function readValue(text: string, from: number, name: string, escapes: number): SecretMember {
  const isText = text.startsWith(`${'\\'.repeat(escapes)}"`, from)
  const start = isText ? from + escapes + 1 : from
  const end = isText ? findTextEnd(text, start, escapes) : findNumberEnd(text, start)
  return { name, start, end, isText, escapes }
}

/** Reads the texts and numbers of the object or list at a position. Its names, and what only describes it, are left out. */
function readValues(
  text: string,
  from: number,
  name: string,
  escapes: number,
): { readonly values: readonly SecretMember[]; readonly end: number } {
  const values: SecretMember[] = []
  const token = new RegExp(`\\\\{${escapes}}"|[[\\]{}]|-?\\d`, 'g')
  const colon = /\s{0,20}:/y
  const names: string[] = []
  let current = name
  token.lastIndex = from
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [sign] = found
    if (sign === '{' || sign === '[') names.push(current)
    else if (sign === '}' || sign === ']') {
      current = names.pop() ?? name
      if (names.length === 0) return { values, end: token.lastIndex }
    } else {
      const value = readValue(text, found.index, current, escapes)
      token.lastIndex = value.end + (value.isText ? escapes + 1 : 0)
      colon.lastIndex = token.lastIndex
      if (value.isText && colon.test(text)) current = text.slice(value.start, value.end)
      else if (current === name || !isDescribingName(current)) values.push(value)
      if (token.lastIndex >= text.length) break
    }
  }
  return { values, end: text.length }
}

/** A longer object is not taken for the schema of one field. */
const maxSchemaCharacters = 64 * 1024
const schemaTypes = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])
const schemaKeywords = new Set(
  (
    'type description title default enum const format pattern minLength maxLength minimum maximum exclusiveMinimum ' +
    'exclusiveMaximum multipleOf items prefixItems contains minItems maxItems uniqueItems properties required ' +
    'patternProperties additionalProperties propertyNames minProperties maxProperties anyOf oneOf allOf not if then ' +
    'else $ref $defs definitions examples example writeOnly readOnly deprecated nullable contentEncoding ' +
    'contentMediaType contentSchema optional'
  ).split(' '),
)

/** `"password": {"type": "string"}` in a list of tools declares a field. */
function isSchemaText(text: string, escapes: number): boolean {
  if (text.length > maxSchemaCharacters) return false
  const value = parseJson(escapes === 0 ? text : unescapeJson(text, (escapes - 1) >> 1))
  if (!isObject(value)) return false
  const names = Object.keys(value)
  if (!names.every(name => schemaKeywords.has(name) || name.startsWith('x-'))) return false
  const types = Array.isArray(value.type) ? value.type : [value.type ?? 'string']
  return types.every(type => schemaTypes.has(type))
}

/** Returns the position after a JSON text. */
function findTextEnd(text: string, start: number, escapes: number): number {
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote
    while (before > start && text[before - 1] === '\\') before -= 1
    if ((quote - before) % (2 * (escapes + 1)) === escapes) return quote - escapes
  }
  return text.length
}

function findNumberEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && /[\d.eE+-]/.test(text[end] ?? '')) end += 1
  return end
}
