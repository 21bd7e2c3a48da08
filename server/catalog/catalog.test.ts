import { describe, expect, it } from 'vitest'
import { AppError } from '../../core/errors.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import type { SourceSpec } from '../sources/index.ts'
import { testContext } from '../sources/testkit.ts'
import { Catalog } from './catalog.ts'

const manifest = (...names: string[]): Manifest => ({
  tools: names.map(name => ({ name, inputSchema: { type: 'object' } })),
  problems: [],
  format: 'test',
})

/** A source whose lists come from `answers`, one a refresh. */
function source(name: string, ...answers: (Manifest | Error)[]): SourceSpec {
  let asked = 0
  return {
    settings: { name },
    kind: 'test',
    label: name,
    definition: name,
    open: async () => ({
      label: name,
      manifest: async () => {
        const answer = answers[Math.min(asked++, answers.length - 1)]
        if (answer instanceof Error || answer === undefined) throw answer
        return answer
      },
      close: async () => {},
    }),
  }
}

const codeOf = (act: () => unknown) => {
  try {
    act()
    return 'nothing thrown'
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : `${thrown}`
  }
}

describe('the catalog', () => {
  it('gives every tool a reference of its own, even where names repeat', async () => {
    const catalog = new Catalog(testContext)
    await catalog.open(source('a', manifest('x', 'x', 'x~2', '__proto__')))
    expect(catalog.tools.map(tool => tool.ref)).toEqual(['a/x', 'a/x~2', 'a/x~2~2', 'a/__proto__'])
    expect(catalog.get('a/__proto__').tool.name).toBe('__proto__')
  })

  it('tells of a bad setting even where the list cannot be read', async () => {
    const catalog = new Catalog(testContext)
    const failing = source('a', new Error('no list'))
    const problems = [{ message: 'KEY has no value' }]
    await catalog.open({
      ...failing,
      open: async context => ({ ...(await failing.open(context)), problems }),
    })
    expect(catalog.sources()[0]).toMatchObject({ status: 'failed', problems })
  })

  it('gives every source a name of its own', async () => {
    const catalog = new Catalog(testContext)
    for (const wanted of ['a', 'a', 'a/b, c']) await catalog.open(source(wanted, manifest('x')))
    expect(catalog.sources().map(state => state.name)).toEqual(['a', 'a-2', 'a-b-c'])
  })

  it('finds by name where it is unique, else by reference, and guesses', async () => {
    const catalog = new Catalog(testContext)
    await catalog.open(source('a', manifest('greet', 'twin')))
    await catalog.open(source('b', manifest('twin')))
    expect(catalog.find('greet').ref).toBe('a/greet')
    expect(catalog.find('b/twin').source).toBe('b')
    expect(codeOf(() => catalog.find('twin'))).toBe('tool-ambiguous')
    expect(() => catalog.find('gret')).toThrow('did you mean "greet"?')
  })

  it('counts of each source the tools that it shows', async () => {
    const catalog = new Catalog(testContext)
    const entry = (extra: Record<string, unknown>) => ({
      name: 'fs_read',
      inputSchema: { type: 'object' },
      extra,
    })
    const listed: Manifest = { ...manifest('own'), tools: [...manifest('own').tools] }
    const tree = { ...listed, tools: [...listed.tools, entry({ mcp: 'fs', throughBridge: true })] }
    const bridge = { ...listed, tools: [entry({ mcp: 'fs' })] }
    const callable = source('bridge', bridge)
    await catalog.open(source('tree', tree))
    expect(catalog.sources()).toMatchObject([{ name: 'tree', toolCount: 2 }])
    await catalog.open({
      ...callable,
      open: async context => ({ ...(await callable.open(context)), async *call() {} }),
    })
    expect(catalog.sources()).toMatchObject([
      { name: 'tree', toolCount: 1, hiddenTools: 1 },
      { name: 'bridge', toolCount: 1 },
    ])
    expect(catalog.tools).toHaveLength(2)
    await catalog.stop('bridge')
    expect(catalog.sources()).toMatchObject([{ toolCount: 2 }, { toolCount: 0 }])
  })

  it('keeps the last good list when a refresh fails, and says so', async () => {
    const catalog = new Catalog(testContext)
    await catalog.open(source('a', manifest('x'), new AppError('source-failed', 'gone'), manifest('y')))
    const failed = await catalog.refresh('a')
    expect(failed).toMatchObject({ status: 'degraded', toolCount: 1, error: { code: 'source-failed' } })
    expect(catalog.find('x').ref).toBe('a/x')
    expect(await catalog.refresh('a')).toMatchObject({ status: 'ready', toolCount: 1 })
    expect(catalog.tools.map(tool => tool.name)).toEqual(['y'])
  })

  it('lets a broken source harm no other, and tells its listeners', async () => {
    const catalog = new Catalog(testContext)
    let changes = 0
    const stop = catalog.onChange(() => changes++)
    await Promise.all([
      catalog.open(source('broken', new Error('bug'))),
      catalog.open(source('good', manifest('x'))),
    ])
    expect(catalog.sources().map(state => state.status)).toEqual(['failed', 'ready'])
    // Each opens and then settles.
    expect(changes).toBe(4)
    stop()
    await catalog.refresh('good')
    expect(changes).toBe(4)
  })
})
