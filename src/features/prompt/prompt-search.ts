import type { LintQuery, PromptQuery } from '../../../core/api/prompt.ts'
import { parseJson, withoutUndefined } from '../../../core/json/json.ts'
import { defaultLintClients, type LintClient, lintClients } from '../../../core/lint/finding.ts'
import { promptFormats } from '../../../core/prompt/formats.ts'
import { textParameter, usePageSearch } from '../../ui/route-search.ts'

/**
 * The state of the prompt page that is kept in the URL. Values at their default are absent. Never throws: unknown keys
 * and values are dropped.
 */
export function parsePromptSearch(search: Record<string, unknown>) {
  const without = parseRefs(textParameter(search.without))
  const clients = parseClients(textParameter(search.client))
  return withoutUndefined({
    /** Source names, comma separated; absent is all. */
    source: textParameter(search.source),
    /** Words, or a pattern with `*`. */
    q: textParameter(search.q, 500),
    /** References of the excluded tools, as a JSON array. */
    without: without.length > 0 ? JSON.stringify(without) : undefined,
    format: promptFormats.filter(format => format !== 'text').find(format => format === search.format),
    form: search.form === 'compact' ? ('compact' as const) : undefined,
    /** Tokens. */
    budget: parseBudget(textParameter(search.budget))?.toString(),
    /** Clients that are checked for, comma separated; absent is all but strict mode. */
    client: sameClients(clients, defaultLintClients) ? undefined : clients.join(','),
  })
}

type PromptSearch = ReturnType<typeof parsePromptSearch>

export function parseRefs(text: string | undefined): readonly string[] {
  const value = parseJson(text ?? '')
  return Array.isArray(value) ? value.filter(ref => typeof ref === 'string') : []
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

function choiceOf({ source, q, without }: PromptSearch) {
  return { sources: source ? source.split(',') : [], query: q ?? '', without: [...parseRefs(without)] }
}

/** The query to the server for the choice of tools and format. */
export function promptQueryOf(place: PromptSearch): PromptQuery {
  const budget = parseBudget(place.budget)
  return {
    ...choiceOf(place),
    format: place.format ?? 'text',
    compact: place.form === 'compact',
    ...(budget === undefined ? {} : { budget }),
  }
}

export function lintQueryOf(place: PromptSearch): LintQuery {
  return { ...choiceOf(place), clients: [...parseClients(place.client)] }
}

/** The history of the browser keeps one entry, however often the choice changes. */
export const usePromptSearch = () => usePageSearch('/prompt', parsePromptSearch, { replace: true })
