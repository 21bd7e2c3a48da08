/**
 * Reads `forms` of toolscope.json: a uiSchema by tool. A uiSchema holds hints for a form next to its schema, in RJSF's
 * shape (https://rjsf-team.github.io/react-jsonschema-form/docs/api-reference/uiSchema). Only the keys below are read,
 * each with a value of its type, because uiSchemas are written for other programs too.
 */
import { canonicalJson } from '../json/equality.ts'
import { isObject, type Json, type JsonObject, own, setOwnMember } from '../json/json.ts'
import { nearest } from '../text/wording.ts'
import { type NamedTool, toolMatcher } from '../tool/tool-pattern.ts'

export interface ToolForms {
  /** Equal for the same forms. */
  readonly fingerprint: string
  /** A sentence for each ignored part, beginning with its location. */
  readonly problems: readonly string[]
  /** Merges all entries that match the tool; the more exact one wins. Returns undefined if none matches. */
  uiSchemaOf(tool: NamedTool): UiSchema | undefined
  /** Returns a sentence for each key that matches none of these tools. */
  unmatchedKeys(tools: readonly NamedTool[]): string[]
}

/** Maximum tools whose names are compared with a key that matches none. */
const maxSuggestedTools = 5_000

/** @param forms the value of `forms`, unchecked: a record from a tool's name, reference or pattern to a uiSchema */
export function readToolForms(forms: unknown): ToolForms {
  if (forms !== undefined && !isObject(forms))
    return { ...readToolForms(undefined), problems: ['at forms: must be an object from tools to uiSchemas'] }
  const read = Object.keys(forms ?? {}).map(key => ({
    key,
    matches: key.includes('*') ? toolMatcher(key) : ({ name, ref }: NamedTool) => key === name || key === ref,
    ...readUiSchema(own(forms ?? {}, key), `forms.${key}`),
  }))
  return {
    fingerprint: canonicalJson(read.map(({ key, uiSchema }) => [key, uiSchema])),
    problems: read.flatMap(({ problems }) => problems),
    uiSchemaOf(tool) {
      const found = read.filter(({ matches }) => matches(tool))
      if (found.length === 0) return undefined
      return found
        .toSorted((left, right) => exactness(left.key, tool) - exactness(right.key, tool))
        .reduce((merged, { uiSchema }) => mergeUiSchemas(merged, uiSchema), {})
    },
    unmatchedKeys: tools =>
      read
        .filter(({ matches }) => !tools.some(matches))
        .map(({ key }) => {
          const names = tools.slice(0, maxSuggestedTools).flatMap(({ name, ref }) => [name, ref])
          const guess = key.includes('*') ? null : nearest(key, names)
          return `at forms.${key}: no tool has this name${guess ? `; did you mean "${guess}"?` : ''}`
        }),
  }
}

/** A reference is more exact than a name, a name than a pattern, and a long pattern than a short one. */
function exactness(key: string, { name, ref }: NamedTool): number {
  if (key === ref) return Number.POSITIVE_INFINITY
  return key === name ? Number.MAX_SAFE_INTEGER : key.replaceAll('*', '').length
}

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
function readUiSchema(
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
            setOwnMember(read, key, withoutWrongOptions(key, member, memberPath))
        } else if (Array.isArray(member))
          // RJSF: one uiSchema for each item of a tuple, or each branch of a union.
          setOwnMember(
            read,
            key,
            member.map((each, index) => readLevel(each, `${memberPath}.${index}`, depth + 1)),
          )
        else setOwnMember(read, key, readLevel(member, memberPath, depth + 1))
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
function mergeUiSchemas(under: UiSchema, over: UiSchema): UiSchema {
  const merged: JsonObject = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const before = Object.hasOwn(under, key) ? under[key] : undefined
    setOwnMember(merged, key, isObject(before) && isObject(value) ? mergeUiSchemas(before, value) : value)
  }
  return merged
}
