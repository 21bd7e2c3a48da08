/**
 * A uiSchema: hints for a form next to its schema, in RJSF's shape
 * (https://rjsf-team.github.io/react-jsonschema-form/docs/api-reference/uiSchema). Only the keys below are read, each
 * with a value of its type, because uiSchemas are written for other programs too.
 */
import { isObject, type Json, type JsonObject, own, setOwn } from '../json/json.ts'
import { nearest } from '../text/wording.ts'

export type UiSchema = JsonObject

interface UiValue {
  readonly isValid: (value: unknown) => boolean
  readonly expected: string
}
const text: UiValue = { isValid: value => typeof value === 'string', expected: 'a text' }
const names: UiValue = {
  isValid: value => Array.isArray(value) && value.every(text.isValid),
  expected: 'a list of property names',
}

const uiKeys: { readonly [key: `ui:${string}`]: UiValue } = {
  'ui:widget': text,
  'ui:options': { isValid: value => isObject(value), expected: 'an object' },
  'ui:order': names,
  'ui:title': text,
  'ui:description': text,
  'ui:placeholder': text,
  'ui:help': text,
  'ui:readonly': { isValid: value => typeof value === 'boolean', expected: 'true or false' },
}

/** Deeper than any form that a person fills in. */
const maxDepth = 100

/** Reads the supported parts of a uiSchema, and returns a sentence for each ignored part. */
export function readUiSchema(
  value: unknown,
  location: string,
): { readonly uiSchema: UiSchema; readonly problems: readonly string[] } {
  const problems: string[] = []
  const leaveOut = (at: string, why: string) => void problems.push(`at ${at}: ${why}`)

  const readLevel = (level: unknown, at: string, depth: number): UiSchema => {
    const read: JsonObject = {}
    if (!isObject(level)) leaveOut(at, 'must be an object: a uiSchema')
    else if (depth > maxDepth) leaveOut(at, `is nested deeper than ${maxDepth} levels`)
    else
      for (const key of Object.keys(level)) {
        const member = own(level, key)
        const memberPath = `${at}.${key}`
        if (key.startsWith('ui:')) {
          if (isUsable(key, member, memberPath))
            setOwn(read, key, withoutWrongOptions(key, member, memberPath))
        } else if (Array.isArray(member))
          // RJSF: one uiSchema for each item of a tuple, or each branch of a union.
          setOwn(
            read,
            key,
            member.map((each, index) => readLevel(each, `${memberPath}.${index}`, depth + 1)),
          )
        else setOwn(read, key, readLevel(member, memberPath, depth + 1))
      }
    return read
  }

  const isUsable = (key: string, member: unknown, at: string): boolean => {
    const known = own(uiKeys, key) as UiValue | undefined
    if (known === undefined) {
      const guess = nearest(key, Object.keys(uiKeys))
      leaveOut(at, guess ? `unknown key; did you mean "${guess}"?` : `unknown key; ${knownKeys}`)
    } else if (!known.isValid(member)) leaveOut(at, `must be ${known.expected}`)
    return known?.isValid(member) === true
  }

  /** RJSF reads `{"ui:options": {"title": …}}` like `{"ui:title": …}`. Other options belong to the widget. */
  const withoutWrongOptions = (key: string, member: unknown, at: string): Json => {
    // The value comes from JSON text and has the type that its key requires.
    if (key !== 'ui:options') return member as Json
    const options = member as JsonObject
    const isTaken = ([name]: readonly [string, Json]) =>
      !Object.hasOwn(uiKeys, `ui:${name}`) || isUsable(`ui:${name}`, own(options, name), `${at}.${name}`)
    return Object.fromEntries(Object.entries(options).filter(isTaken))
  }

  return { uiSchema: readLevel(value, location, 0), problems }
}

const knownKeys = `known are ${Object.keys(uiKeys).join(', ')}`

/** Merges both, property by property; `over` wins. */
export function mergeUiSchemas(under: UiSchema, over: UiSchema): UiSchema {
  const merged: JsonObject = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const before = Object.hasOwn(under, key) ? under[key] : undefined
    setOwn(merged, key, isObject(before) && isObject(value) ? mergeUiSchemas(before, value) : value)
  }
  return merged
}
