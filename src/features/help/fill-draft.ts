/** Fills a value from the help into a draft. */

import { useMemo, useState } from 'react'
import type { InputPath } from '../../../core/help/row-facts.ts'
import { jsonEquals } from '../../../core/json/equality.ts'
import { isObject, type Json, setOwn } from '../../../core/json/json.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { texts } from './texts.ts'

/**
 * The draft with `value` at `inputPath`; missing objects and lists on the way are created. Undefined where that would
 * replace something: the draft is not valid JSON, or a value of another kind is on the way.
 */
export function fillDraft(text: string, inputPath: InputPath, value: Json): string | undefined {
  const reading = readJson(text)
  if (!reading.ok) return undefined
  const filled = setValue(reading.value, inputPath, value)
  return filled === undefined ? undefined : writeJson(filled)
}

/** Whether the draft has `value` at `inputPath`, or in the list there. */
export function hasValue(draft: Json | undefined, inputPath: InputPath, value: Json): boolean {
  const [key, ...rest] = inputPath
  if (key === undefined) return jsonEquals(draft, value)
  if (key === null) return Array.isArray(draft) && draft.some(item => hasValue(item, rest, value))
  return hasValue(childOf(draft, key), rest, value)
}

/** The draft as a value; undefined while it is empty or no JSON. */
export function draftValue(text: string): Json | undefined {
  const reading = readJson(text)
  return reading.ok ? reading.value : undefined
}

function setValue(current: Json | undefined, inputPath: InputPath, value: Json): Json | undefined {
  const [key, ...rest] = inputPath
  if (key === undefined) return value
  if (typeof key === 'string') {
    if (current !== undefined && !isObject(current)) return undefined
    const inner = setValue(childOf(current, key), rest, value)
    if (inner === undefined) return undefined
    const filled = { ...current }
    setOwn(filled, key, inner)
    return filled
  }
  if (current !== undefined && !Array.isArray(current)) return undefined
  const items: readonly Json[] = current ?? []
  if (key === null && rest.length === 0 && items.some(item => jsonEquals(item, value))) return items
  const index = key ?? items.length
  if (index > items.length) return undefined
  const inner = setValue(items[index], rest, value)
  return inner === undefined ? undefined : [...items.slice(0, index), inner, ...items.slice(index + 1)]
}

function childOf(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof key === 'number') return Array.isArray(value) ? value[key] : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export interface DraftFiller {
  use(inputPath: InputPath, value: Json, path: string): void
  isUsed(inputPath: InputPath, value: Json): boolean
  /** The outcome of the last use, for the user; empty before the first. */
  readonly message: string
}

/** Returns what fills the tool's draft from the help. */
export function useFiller(text: string, setText: (text: string) => void): DraftFiller {
  const [message, setMessage] = useState('')
  const draft = useMemo(() => draftValue(text), [text])
  return {
    message,
    isUsed: (inputPath, value) => hasValue(draft, inputPath, value),
    use(inputPath, value, path) {
      const filled = fillDraft(text, inputPath, value)
      if (filled === undefined) {
        setMessage(texts.notFilled(path))
        return
      }
      setText(filled)
      setMessage(texts.filledInForm(path))
    },
  }
}
