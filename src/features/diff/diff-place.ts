import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Direction } from '../../../core/diff/change.ts'
import { type ChangeKind, changeKinds, directions } from './change-kind.ts'

/** What is compared, and what of it is shown. All of it stands in the URL; what is at its default is left out there. */
export interface DiffPlace {
  /** The two references: a source's name, a file, `git:REV:path`, a URL. */
  readonly a?: string
  readonly b?: string
  /** Kinds that are shown, comma separated; absent is all. */
  readonly show?: string
  readonly direction?: Direction
  /** The one tool that is shown. */
  readonly tool?: string
  /** Text that a change has to hold. */
  readonly q?: string
  /** The tool whose schemas are open side by side. */
  readonly schemas?: string
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Reads a place from search parameters of any shape. Never throws: what is not understood is left out. */
export function parseDiffPlace(search: Record<string, unknown>): DiffPlace {
  const entries = Object.entries({
    a: textOf(search.a),
    b: textOf(search.b),
    show: parseKinds(textOf(search.show)).join(',') || undefined,
    direction: directions.find(direction => direction === search.direction),
    tool: textOf(search.tool),
    q: textOf(search.q),
    schemas: textOf(search.schemas),
  }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

/** `breaking,undecided` as the kinds that exist. */
export function parseKinds(text: string | undefined): ChangeKind[] {
  const words = new Set(text?.split(','))
  return changeKinds.filter(kind => words.has(kind))
}

export function useDiffPlace(): DiffPlace {
  return useSearch({ from: '/diff' })
}

/** Goes to another place of the diff; parts that are not named stay, parts that are undefined go. */
export function useGoDiff() {
  const navigate = useNavigate({ from: '/diff' })
  return useCallback(
    (
      change: { [Key in keyof DiffPlace]?: DiffPlace[Key] | undefined },
      options: { replace?: boolean } = {},
    ) => {
      void navigate({
        to: '/diff',
        search: previous => parseDiffPlace({ ...previous, ...change }),
        replace: options.replace ?? false,
      })
    },
    [navigate],
  )
}
