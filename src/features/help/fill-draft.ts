/** Putting a value from the help into a draft. */

import { useMemo, useState } from 'react'
import type { InputPath } from '../../../core/help/man-row.ts'
import { jsonEquals } from '../../../core/json/equality.ts'
import { isObject, type Json } from '../../../core/json/json.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'

/**
 * The draft with `value` at `inputPath`; objects and lists on the way are made where they are absent. Undefined where that
 * would change what is there: the draft is no JSON, or another kind of value stands on the way.
 */
export function fillDraft(text: string, inputPath: InputPath, value: Json): string | undefined {
  const reading = readJson(text)
  if (!reading.ok) return undefined
  const filled = put(reading.value, inputPath, value)
  return filled === undefined ? undefined : writeJson(filled)
}

/** Whether a value stands at a inputPath of the draft, or in the list there. */
export function holdsValue(draft: Json | undefined, inputPath: InputPath, value: Json): boolean {
  const [key, ...rest] = inputPath
  if (key === undefined) return jsonEquals(draft, value)
  if (key === null) return Array.isArray(draft) && draft.some(item => holdsValue(item, rest, value))
  return holdsValue(childOf(draft, key), rest, value)
}

/** The draft as a value; undefined while it is empty or no JSON. */
export function draftValue(text: string): Json | undefined {
  const reading = readJson(text)
  return reading.ok ? reading.value : undefined
}

function put(whole: Json | undefined, inputPath: InputPath, value: Json): Json | undefined {
  const [key, ...rest] = inputPath
  if (key === undefined) return value
  if (typeof key === 'string') {
    if (whole !== undefined && !isObject(whole)) return undefined
    const inner = put(childOf(whole, key), rest, value)
    if (inner === undefined) return undefined
    const filled = { ...whole }
    // Plain assignment would set the prototype for a key that is called `__proto__`.
    Object.defineProperty(filled, key, { value: inner, enumerable: true, configurable: true, writable: true })
    return filled
  }
  if (whole !== undefined && !Array.isArray(whole)) return undefined
  const items: readonly Json[] = whole ?? []
  if (key === null && rest.length === 0 && items.some(item => jsonEquals(item, value))) return items
  const index = key ?? items.length
  if (index > items.length) return undefined
  const inner = put(items[index], rest, value)
  return inner === undefined ? undefined : [...items.slice(0, index), inner, ...items.slice(index + 1)]
}

function childOf(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof key === 'number') return Array.isArray(value) ? value[key] : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export interface DraftFiller {
  use(inputPath: InputPath, value: Json, path: string): void
  isUsed(inputPath: InputPath, value: Json): boolean
  /** What the last use did, for people; empty before. */
  readonly told: string
}

/** Fills the tool's draft from the help. */
export function useFiller(text: string, setText: (text: string) => void): DraftFiller {
  const [told, setTold] = useState('')
  const draft = useMemo(() => draftValue(text), [text])
  return {
    told,
    isUsed: (inputPath, value) => holdsValue(draft, inputPath, value),
    use(inputPath, value, path) {
      const filled = fillDraft(text, inputPath, value)
      if (filled === undefined) {
        setTold(`${path} could not be filled: the input holds something else there. See the JSON tab.`)
        return
      }
      setText(filled)
      setTold(`${path} is filled in the form.`)
    },
  }
}
