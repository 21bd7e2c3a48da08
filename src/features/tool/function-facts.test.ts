import { describe, expect, it } from 'vitest'
import { functionFacts } from './function-facts.ts'

describe('functionFacts', () => {
  it('returns what the tree knows', () => {
    expect(
      functionFacts({
        declaredIn: 'tools/a.py',
        stale: ['"x" is not in functions.json'],
        environment: [{ name: 'API_KEY', required: true, set: false }],
      }),
    ).toEqual({
      declaredIn: 'tools/a.py',
      unbuilt: false,
      stale: ['"x" is not in functions.json'],
      environment: [{ name: 'API_KEY', required: true, set: false }],
    })
  })

  it('returns nothing where there is nothing to show', () => {
    expect(functionFacts(undefined)).toBeUndefined()
    expect(functionFacts({ declaredIn: 'tools/a.py', mcp: 'files' })).toBeUndefined()
  })

  it('ignores keys of another shape', () => {
    expect(
      functionFacts({ stale: { length: 3 }, environment: 'PATH', unbuilt: 'yes', mcp: 3 }),
    ).toBeUndefined()
    expect(functionFacts({ environment: [null, 3, { name: 4 }], stale: [1] })).toBeUndefined()
  })
})
