/** Two manifests of many tools of which a few differ: bounds, properties, words. */
import type { DiffSide } from '../../core/diff/change.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'

export function makeManifests(tools: number, changed: number): { before: DiffSide; after: DiffSide } {
  const before = Array.from({ length: tools }, (_, at) => makeTool(at, 0))
  const every = Math.floor(tools / changed)
  const after = Array.from({ length: tools }, (_, at) =>
    makeTool(at, at % every === 0 ? 1 + ((at / every) % 3) : 0),
  )
  return { before: { tools: before }, after: { tools: after } }
}

/** @param variant 0 is unchanged; 1 lowers a bound, 2 adds a required property, 3 changes words. */
function makeTool(at: number, variant: number): ManifestTool {
  return {
    name: `group${at % 50} tool${at}`,
    description: `Does thing ${at} for a customer${variant === 3 ? ' and reports it' : ''}.`,
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1, description: 'Which one' },
        count: { type: 'integer', minimum: 1, maximum: variant === 1 ? 50 : 100 },
        kind: { enum: ['new', 'old', 'any'] },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
        ...(variant === 2 ? { owner: { type: 'string' } } : {}),
      },
      required: variant === 2 ? ['id', 'owner'] : ['id'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { done: { type: 'boolean' }, lines: { type: 'array', items: { type: 'string' } } },
      required: ['done'],
    },
  }
}
