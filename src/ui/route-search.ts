/** Search parameters of the pages. The URL holds every state of a page, without default values. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Returns the text of a parameter; undefined if it is empty or not a text. */
export function textParameter(value: unknown, maxCharacters = 10_000): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, maxCharacters) : undefined
}

/** Returns the choice that a parameter names; undefined for anything else. */
export function pickChoice<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find(choice => choice === value)
}

/** Returns the parameters with these names that are non-empty texts. */
export function textParameters<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const found: { [Key in Name]?: string } = {}
  for (const name of names) {
    const text = textParameter(search[name])
    if (text !== undefined) found[name] = text
  }
  return found
}

interface NavigateOptions {
  /** Replaces the browser's history entry instead of adding one. */
  readonly replace?: boolean
}

/** Parameters to set: undefined removes one, a missing one is kept. */
export type SearchChange<Search> = { [Key in keyof Search]?: Search[Key] | undefined }

/** Returns the search parameters of the page at `path`, and the function that changes them. */
export function usePageSearch<Search extends object>(
  path: string,
  parse: (search: Record<string, unknown>) => Search,
  always: NavigateOptions = {},
) {
  const navigate = useNavigate()
  const change = useCallback(
    (change: SearchChange<Search>, { replace = always.replace ?? false }: NavigateOptions = {}) =>
      void navigate({ to: path, search: previous => parse({ ...previous, ...change }), replace }),
    [navigate, path, parse, always.replace],
  )
  return [parse(useSearch({ strict: false })), change] as const
}
