/** Search parameters of the pages: each state of a page is in its URL; what is at its default is left out there. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** The text of a parameter; undefined where it is empty or no text. */
export function textParameter(value: unknown, maxCharacters = 10_000): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, maxCharacters) : undefined
}

/** The parameters with these names that are texts and not empty. */
export function textParameters<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const found: { [Key in Name]?: string } = {}
  for (const name of names) {
    const text = textParameter(search[name])
    if (text !== undefined) found[name] = text
  }
  return found
}

interface NavigateOptions {
  /** The browser's history keeps one entry for the change. */
  readonly replace?: boolean
}

/** Parameters to set; undefined removes one, absent keeps it. */
export type SearchChange<Search> = { [Key in keyof Search]?: Search[Key] | undefined }

/** The search parameters of the page at `path`, and the function that changes them. */
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
