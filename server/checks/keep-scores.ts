/** Keeps the score of each tool's last generated checks in the store. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { score } from '../../core/api/generated-checks.ts'
import { scoreServer } from '../../core/checks/contract-score.ts'
import type { CheckedTool, ScoreList, ToolScore } from '../../core/checks/generated-checks.ts'
import { groupBy } from '../../core/lists.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Store } from '../store/store.ts'
import { schemaHash } from '../workers/schema-hash.ts'

const storedScore = z.object({
  score,
  coveragePercent: z.number(),
  findings: z.number(),
  time: z.string(),
  /** Hash of the schemas that the score is about. */
  schemas: z.string(),
})

/** Replaces the scores of the tools that were tested. Does nothing without a store. */
export async function keepScores(
  store: Store,
  tools: readonly Tool[],
  checked: readonly CheckedTool[],
): Promise<void> {
  if (store.status().state !== 'ready') return
  const time = new Date().toISOString()
  for (const { ref, score: given, coveragePercent, findings } of checked) {
    const tool = tools.find(each => each.ref === ref)
    if (tool === undefined || given.total === 'not tested') continue
    const stored: z.input<typeof storedScore> = {
      score: given,
      coveragePercent,
      findings,
      time,
      schemas: hashSchemas(tool),
    }
    const body = JSON.stringify(stored)
    await store
      .database()
      .insertInto('tool_scores')
      .values({ id: hashParts([tool.source, tool.ref]), source_key: hashParts([tool.source]), body })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ body }))
      .execute()
  }
}

/** Returns the scores of these tools, in their order; nothing without a store. */
export async function listScores(store: Store, tools: readonly Tool[]): Promise<ScoreList> {
  if (store.status().state !== 'ready') return { tools: [], sources: [] }
  const rows = await store.database().selectFrom('tool_scores').select(['id', 'body']).execute()
  const bodies = new Map(rows.map(({ id, body }) => [id, body]))
  const scores = tools.flatMap((tool): ToolScore[] => {
    const body = bodies.get(hashParts([tool.source, tool.ref]))
    const read = body === undefined ? undefined : storedScore.safeParse(JSON.parse(body)).data
    if (read === undefined) return []
    const { schemas, ...facts } = read
    return [{ ref: tool.ref, source: tool.source, ...facts, isOutdated: schemas !== hashSchemas(tool) }]
  })
  const sources = [...groupBy(scores, ({ source }) => source)].map(([source, ofSource]) => ({
    source,
    score: scoreServer(ofSource.map(each => each.score)),
  }))
  return { tools: scores, sources }
}

function hashSchemas({ inputSchema, outputSchema = true }: Tool): string {
  try {
    return `${schemaHash(inputSchema)} ${schemaHash(outputSchema)}`
  } catch {
    // A schema that is nested too deeply has no hash.
    return ''
  }
}

/** Names are untrusted text of any length; the hash is a safe key. */
function hashParts(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
