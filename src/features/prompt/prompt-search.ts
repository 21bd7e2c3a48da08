import type { LintQuery, PromptQuery } from '../../../core/api/prompt.ts'
import { parseJson, withoutUndefined } from '../../../core/json/json.ts'
import { defaultLintClients, type LintClient, lintClients } from '../../../core/lint/lint-finding.ts'
import { promptFormats } from '../../../core/prompt/prompt-formats.ts'
import { textParameter, usePageSearch } from '../../ui/route-search.ts'
import { storage } from '../../ui/storage.ts'

/**
 * Parses the state of the prompt page that the URL contains. Default values are absent. Never throws: unknown keys and
 * values are dropped.
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
    /** Absent is MCP's own list. */
    format: promptFormats.filter(format => format !== 'mcp').find(format => format === search.format),
    form: search.form === 'compact' ? ('compact' as const) : undefined,
    /** Tokens. */
    budget: parseBudget(textParameter(search.budget))?.toString(),
    /** Clients to check, comma separated; absent is the last choice. */
    client: clients?.join(','),
  })
}

type PromptSearch = ReturnType<typeof parsePromptSearch>

export function parseRefs(text: string | undefined): readonly string[] {
  const value = parseJson(text ?? '')
  return Array.isArray(value) ? value.filter(ref => typeof ref === 'string') : []
}

/** Parses `openai,mcp`; drops unknown clients. Undefined if no client is left. */
function parseClients(text: string | null | undefined): readonly LintClient[] | undefined {
  const words = new Set(text?.split(','))
  const known = lintClients.filter(client => words.has(client))
  return known.length > 0 ? known : undefined
}

const storedClients = 'toolscope.lint-clients'

/** Returns the clients of the URL; else the last choice in this browser, MCP at first. */
export function readClients({ client }: PromptSearch): readonly LintClient[] {
  return parseClients(client) ?? parseClients(storage.get(storedClients)) ?? defaultLintClients
}

/** Stores the clients for the next visit; an empty list is read as MCP. */
export function keepClients(clients: readonly LintClient[]): void {
  storage.set(storedClients, clients.join(','))
}

/** Parses a whole number of tokens, 1 to a billion. */
export function parseBudget(text: string | undefined): number | undefined {
  const value = Number(text?.replaceAll(/[,\s]/g, '') ?? Number.NaN)
  return Number.isInteger(value) && value >= 1 && value <= 1_000_000_000 ? value : undefined
}

function toToolChoice({ source, q, without }: PromptSearch) {
  return { sources: source ? source.split(',') : [], query: q ?? '', without: [...parseRefs(without)] }
}

/** Returns the query to the server for the choice of tools and format. */
export function toPromptQuery(search: PromptSearch): PromptQuery {
  const budget = parseBudget(search.budget)
  return {
    ...toToolChoice(search),
    format: search.format ?? 'mcp',
    compact: search.form === 'compact',
    ...(budget === undefined ? {} : { budget }),
  }
}

export function toLintQuery(search: PromptSearch): LintQuery {
  return { ...toToolChoice(search), clients: [...readClients(search)] }
}

/** Changes replace the browser's history entry, so that they do not fill the history. */
export const usePromptSearch = () => usePageSearch('/prompt', parsePromptSearch, { replace: true })
