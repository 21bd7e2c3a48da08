/** Suggested values for a form field while the user types. An MCP server completes arguments and variables. */
import { createContext, use, useEffect, useState } from 'react'
import { isObject } from '../../../core/json/json.ts'
import type { Path } from '../../../core/json/pointer.ts'
import { useFormScope } from './form-scope.ts'

/** @param others the texts of the other top-level fields */
export type Suggest = (
  field: string,
  text: string,
  others: Readonly<Record<string, string>>,
) => Promise<readonly string[]>

/** Provides the suggestions for the top-level fields of a form. */
export const SuggestContext = createContext<Suggest | undefined>(undefined)

/** Pause after the last keystroke before suggestions are requested. */
const debounceMs = 250

/**
 * Returns the suggestions for a field, requested while it has the focus, and `setFocused`, which its control calls.
 * Without a `Suggest` function, `setFocused` does not render again.
 */
export function useSuggestions(path: Path, text: string) {
  const suggest = use(SuggestContext)
  const { store } = useFormScope()
  const [isFocused, setIsFocused] = useState(false)
  const [found, setFound] = useState<readonly string[]>([])
  const field = suggest !== undefined && path.length === 1 ? path[0] : undefined
  useEffect(() => {
    if (suggest === undefined || typeof field !== 'string' || !isFocused) return
    let isStale = false
    const ask = async () => {
      const values = await suggest(field, text, otherTexts(store.get([]), field)).catch(() => [])
      if (!isStale) setFound(values)
    }
    const timer = setTimeout(() => void ask(), debounceMs)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [suggest, store, field, text, isFocused])
  const setFocused = (isNow: boolean) => field !== undefined && setIsFocused(isNow)
  return [found, setFocused] as const
}

function otherTexts(input: unknown, field: string): Record<string, string> {
  if (!isObject(input)) return {}
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      name !== field && typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}
