import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

/** Five until 2025. References are not followed: what stands in a definition counts where it stands. */
const LIMIT = 10

export const strictDepth: ToolRule = {
  scope: 'tool',
  id: 'strict-depth',
  title: 'Objects lie at most 10 deep',
  severity: 'error',
  sources: { 'openai-strict': documents.openaiStrict },
  check: ({ nodes }) => {
    const deep = nodes.find(({ objectDepth }) => objectDepth > LIMIT)
    if (deep === undefined) return []
    const depth = nodes.reduce((most, { objectDepth }) => Math.max(most, objectDepth), 0)
    return [
      {
        path: pointerOf(deep),
        message: `objects lie ${depth} deep; strict mode takes ${LIMIT}`,
        remedy: 'Flatten the input, or split the tool.',
      },
    ]
  },
}
