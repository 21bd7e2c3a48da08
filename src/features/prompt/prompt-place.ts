import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { LintQuery, PromptQuery } from '../../../core/api/prompt.ts'
import { defaultLintClients, type LintClient, lintClients } from '../../../core/lint/finding.ts'
import { type PromptFormat, promptFormats } from '../../../core/prompt/formats.ts'

/** Which tools, in which form. All of it stands in the URL; what is at its default is left out there. */
export interface PromptPlace {
  /** Source names, comma separated; absent is all. */
  readonly source?: string
  /** Words, or a pattern with `*`. */
  readonly q?: string
  /** References of tools that are left out, as a JSON array. */
  readonly without?: string
  readonly format?: Exclude<PromptFormat, 'text'>
  readonly form?: 'compact'
  /** Tokens. */
  readonly budget?: string
  /** Clients that are checked for, comma separated; absent is all but strict mode. */
  readonly client?: string
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Reads a place from search parameters of any shape. Never throws: what is not understood is left out. */
export function parsePromptPlace(search: Record<string, unknown>): PromptPlace {
  const without = parseRefs(textOf(search.without))
  const clients = parseClients(textOf(search.client))
  const entries = Object.entries({
    source: textOf(search.source),
    q: textOf(search.q)?.slice(0, 500),
    without: without.length > 0 ? JSON.stringify(without) : undefined,
    format: promptFormats.find(format => format === search.format && format !== 'text'),
    form: search.form === 'compact' ? 'compact' : undefined,
    budget: parseBudget(textOf(search.budget))?.toString(),
    client: sameClients(clients, defaultLintClients) ? undefined : clients.join(','),
  }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

export function parseRefs(text: string | undefined): readonly string[] {
  if (text === undefined) return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter(ref => typeof ref === 'string') : []
  } catch {
    return []
  }
}

/** `openai,mcp` as the clients that exist; all but strict mode where none is named. */
export function parseClients(text: string | undefined): readonly LintClient[] {
  const words = new Set(text?.split(','))
  const known = lintClients.filter(client => words.has(client))
  return known.length > 0 ? known : defaultLintClients
}

/** A whole number of tokens, 1 to a billion. */
export function parseBudget(text: string | undefined): number | undefined {
  const value = Number(text?.replaceAll(/[,\s]/g, '') ?? Number.NaN)
  return Number.isInteger(value) && value >= 1 && value <= 1_000_000_000 ? value : undefined
}

const sameClients = (left: readonly LintClient[], right: readonly LintClient[]) =>
  left.join(',') === right.join(',')

function choiceOf({ source, q, without }: PromptPlace) {
  return { sources: source ? source.split(',') : [], query: q ?? '', without: [...parseRefs(without)] }
}

/** What the server is asked for a place. */
export function promptQueryOf(place: PromptPlace): PromptQuery {
  const budget = parseBudget(place.budget)
  return {
    ...choiceOf(place),
    format: place.format ?? 'text',
    compact: place.form === 'compact',
    ...(budget === undefined ? {} : { budget }),
  }
}

export function lintQueryOf(place: PromptPlace): LintQuery {
  return { ...choiceOf(place), clients: [...parseClients(place.client)] }
}

export function usePromptPlace(): PromptPlace {
  return useSearch({ from: '/prompt' })
}

/** Goes to another place of the page; parts that are not named stay, parts that are undefined go. */
export function useGoPrompt() {
  const navigate = useNavigate({ from: '/prompt' })
  return useCallback(
    (change: { [Key in keyof PromptPlace]?: PromptPlace[Key] | undefined }) => {
      void navigate({
        to: '/prompt',
        search: previous => parsePromptPlace({ ...previous, ...change }),
        replace: true,
      })
    },
    [navigate],
  )
}
