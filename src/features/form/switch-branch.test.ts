import { expect, test } from 'vitest'
import { getFormPlanner } from '../../../core/form/form-schema.ts'
import type { Json } from '../../../core/json/json.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { switchBranch } from './switch-branch.ts'

function strategy(type: string, own: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties: { type: { const: type }, batch: { type: 'integer' }, ...own } }
}

const schema: JsonSchema = {
  oneOf: [
    strategy('rolling', { only: {}, shared: { type: 'string' } }),
    strategy('canary', { steps: {}, shared: { type: 'number' } }),
    { type: 'string' },
    { type: 'array', items: { type: 'string' } },
    { type: 'number' },
  ],
}
const planner = getFormPlanner(schema)
const node = planner.plan(schema)
const branches = node.kind === 'union' ? node.branches : []
const go = (value: Json | undefined, from: number, to: number, kept?: Json) => {
  const target = branches[to]
  if (!target) throw new Error('no branch')
  return switchBranch(planner, value, branches[from], target, kept)
}

test('switchBranch: keeps what both branches know, and drops what only the previous one knows', () => {
  expect(go({ type: 'rolling', batch: 25, only: 1, shared: 'x', strange: true }, 0, 1)).toEqual({
    type: 'canary',
    batch: 25,
    strange: true,
  })
})

test('switchBranch: restores what was dropped when the branch is chosen again', () => {
  expect(go({ type: 'canary', batch: 50 }, 1, 0, { type: 'rolling', batch: 25, only: 1 })).toEqual({
    type: 'rolling',
    batch: 50,
    only: 1,
  })
})

test('switchBranch: converts a scalar only where that is not a guess', () => {
  expect(go('5', 2, 4)).toBe(5)
  expect(go(5, 4, 2)).toBe('5')
  expect(go('x', 2, 3)).toEqual(['x'])
  expect(go(['x'], 3, 2)).toBe('x')
  expect(go(['x', 'y'], 3, 2)).toBeUndefined()
  expect(go({ a: 1 }, 0, 2)).toBeUndefined()
  expect(go(undefined, 0, 1)).toEqual({ type: 'canary' })
})
