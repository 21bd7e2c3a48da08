import { documents } from '../documents.ts'
import { recursiveReferences } from '../recursion.ts'
import { faultsAt, quoted, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

export const recursiveReference: ToolRule = {
  scope: 'tool',
  id: 'recursive-reference',
  title: 'A schema that contains itself is unrolled to a limited depth',
  severity: 'warning',
  sources: { gemini: documents.geminiRecursion },
  check: ({ references }) =>
    faultsAt(recursiveReferences(references), ({ node, ref }) => ({
      path: `${pointerOf(node)}/$ref`,
      message: `${quoted(ref)} contains this place: a recursion`,
      remedy: 'Keep the recursive property optional, or bound the depth by hand.',
    })),
}
