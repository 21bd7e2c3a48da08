/** `toolscope history`: lists past calls, newest first, prints them as JSON Lines, or deletes them. */
import { z } from 'zod'
import { historyFilters, type InvocationSummary } from '../../core/api/history.ts'
import { invocationOrigins, outcomeFilters, verdictFilters } from '../../core/api/history-filters.ts'
import { AppError } from '../../core/errors.ts'
import { plainJson } from '../../core/text/plain-text.ts'
import { counted } from '../../core/text/wording.ts'
import { describeEnd } from '../../core/tool/outcome.ts'
import { clearInvocations, eachInvocation, listInvocations } from '../store/invocation-list.ts'
import type { Store } from '../store/store.ts'
import { defineCommand, fields } from './command.ts'
import { openHistory } from './open-calls.ts'
import { openConfig } from './open-config.ts'
import { writeLine } from './terminal.ts'

const summary = z.looseObject({
  id: z.string(),
  ref: z.string(),
  origin: z.enum(invocationOrigins),
  person: z.string().optional().describe('The person that called; absent for the operator.'),
  startedAt: z.string(),
  durationMs: z.number(),
  outcome: z.string().describe('ok, or why the call failed.'),
  verdict: z.enum(verdictFilters).describe('The output against the tool’s output schema.'),
  preview: z.string().describe('The beginning of the input.'),
})

const filterFields = {
  tool: z.string().min(1).optional().describe('Only calls of this tool: source/name, or its name.'),
  source: z.string().min(1).optional().describe('Only calls of this source.'),
  outcome: z
    .enum(outcomeFilters)
    .optional()
    .describe('ok, failed, unfinished, or one reason: timeout, exit …'),
  verdict: z
    .enum(verdictFilters)
    .optional()
    .describe('Validation of the output: valid, invalid, no schema, unchecked.'),
  origin: z
    .enum(invocationOrigins)
    .optional()
    .describe('Client that made the call: page, command line, script, check, bridge, mcp.'),
  person: z.string().min(1).optional().describe('Only calls of this person of the team.'),
  text: z
    .string()
    .max(500)
    .optional()
    .describe('Search calls: words of the tool’s name, the input or the result.'),
  since: z
    .string()
    .optional()
    .describe('Only calls since this day or time: 2026-11-21, 2026-11-21T10:00:00Z.'),
  until: z.string().optional().describe('Only calls before this day or time.'),
}

export const historyCommand = defineCommand({
  name: 'history',
  description: 'List past calls, newest first; export them as JSON Lines, or clear them.',
  input: z.object({
    ...filterFields,
    limit: z.number().int().min(1).max(200).default(20).describe('Number of calls (default 20).'),
    jsonl: z
      .boolean()
      .default(false)
      .describe('Print all matching calls in full, one JSON document per line.'),
    clear: z.boolean().default(false).describe('Delete the matching calls; pinned calls stay.'),
    includePinned: z.boolean().default(false).describe('With --clear: also delete pinned calls.'),
    config: fields.config,
    database: fields.database,
  }),
  positionals: [],
  examples: [
    ['toolscope history --outcome failed --since 2026-11-21', 'failed calls since a day'],
    ['toolscope history --text pods --jsonl', 'all calls with a word, as JSON Lines'],
  ],
  exitCodes: { 0: 'done', 2: 'the command line or toolscope.json is invalid' },
  output: z.object({ invocations: z.array(summary), deleted: z.number().optional() }),

  async run(input, context) {
    const { limit, jsonl, clear, includePinned, config, database, ...given } = input
    const parsed = historyFilters.safeParse(given)
    if (!parsed.success)
      throw new AppError(
        'usage',
        parsed.error.issues.map(({ path, message }) => `--${path.join('.')} ${message}`).join('; '),
      )
    const filters = parsed.data
    const opened = await openHistory({ database, toDelete: clear }, openConfig({ config }, context), context)
    try {
      if (clear) {
        const deleted = await clearInvocations(opened.store, filters, includePinned)
        await opened.store.compact()
        return { output: { invocations: [], deleted } }
      }
      if (!jsonl) return { output: await page(opened.store, filters, limit) }
      const damaged: string[] = []
      const readable = eachInvocation(opened.store, filters, id => void damaged.push(id))
      for await (const invocation of readable) {
        if (context.signal.aborted) break
        context.write(`${plainJson(invocation, 0)}\n`)
      }
      if (damaged.length > 0)
        context.say(`Skipped ${counted(damaged.length, 'call')} that cannot be decoded: ${nameSome(damaged)}`)
      return { output: { invocations: [] } }
    } finally {
      await opened.close()
    }
  },

  print({ invocations, deleted }, context, { jsonl }) {
    if (jsonl) return
    if (deleted !== undefined) return context.say(`Deleted ${deleted} ${deleted === 1 ? 'call' : 'calls'}.`)
    if (invocations.length === 0) return context.say('No matching calls')
    // The rows come from the store; the output's schema only states what `--json` guarantees.
    for (const row of invocations) writeLine(context, line(row as unknown as InvocationSummary))
  },
})

async function page(store: Store, filters: z.infer<typeof historyFilters>, limit: number) {
  const { invocations } = await listInvocations(store, filters, { limit })
  return { invocations: invocations.map(one => ({ ...one })) }
}

const maxNamed = 10

/** Returns the first ten ids. */
const nameSome = (ids: readonly string[]) =>
  `${ids.slice(0, maxNamed).join(', ')}${ids.length > maxNamed ? ' …' : ''}`

const marks = { ok: '✓', warn: '!', bad: '✗' } as const

function line({
  startedAt,
  outcome,
  verdict,
  durationMs,
  ref,
  person,
  preview,
  pinned,
}: InvocationSummary): string {
  const { text, tone } = describeEnd({ outcome, verdict })
  const words = [
    startedAt.slice(0, 19).replace('T', ' '),
    outcome === 'unfinished' ? '…' : marks[tone],
    `${ref}${pinned ? ' (pinned)' : ''}`,
    text,
    ...(person === undefined ? [] : [`by ${person}`]),
    outcome === 'unfinished' ? 'still runs or was killed' : `${Math.round(durationMs)} ms`,
    preview.slice(0, 80),
  ]
  return words.join('  ')
}
