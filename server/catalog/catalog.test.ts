import { describe, expect, it } from 'vitest'
import { AppError } from '../../core/errors.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { limitNow } from '../../scripts/test-processes.ts'
import type { SourceSpec } from '../sources/source.ts'
import { testContext } from '../sources/testkit.ts'
import { Catalog } from './catalog.ts'
import { ToolIndex } from './tool-index.ts'

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
    // Only these kinds may have tools that others list too.
    kind: name === 'bridge' ? 'bridge-url' : name === 'tree' ? 'functions-directory' : 'test',
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

describe('catalog', () => {
  it('gives every tool its own reference, even when names repeat', async () => {
    const catalog = new Catalog(testContext)
    await catalog.sources.open(source('a', manifest('x', 'x', 'x~2', '__proto__')))
    expect(catalog.tools.list().map(tool => tool.ref)).toEqual(['a/x', 'a/x~2', 'a/x~2~2', 'a/__proto__'])
    expect(catalog.callTarget('a/__proto__').tool.name).toBe('__proto__')
  })

  it('gives thousands of tools with one name their references in linear time', () => {
    const names = ['x', 'x', 'x~3', 'x', 'x~2', ...Array.from({ length: 20_000 }, () => 'x')]
    const index = new ToolIndex()
    const started = performance.now()
    index.set('a', manifest(...names).tools)
    expect(performance.now() - started).toBeLessThan(limitNow(3_000))
    const refs = index.list().map(tool => tool.ref)
    expect(refs.slice(0, 7)).toEqual(['a/x', 'a/x~2', 'a/x~3', 'a/x~4', 'a/x~2~2', 'a/x~5', 'a/x~6'])
    expect(refs.at(-1)).toBe('a/x~20004')
  })

  it('reports a bad setting even when the list cannot be read', async () => {
    const catalog = new Catalog(testContext)
    const failing = source('a', new Error('no list'))
    const problems = [{ message: 'KEY has no value' }]
    await catalog.sources.open({
      ...failing,
      open: async context => ({ ...(await failing.open(context)), problems }),
    })
    expect(catalog.sources.list()[0]).toMatchObject({ status: 'failed', problems })
  })

  it('gives every source its own name', async () => {
    const catalog = new Catalog(testContext)
    for (const wanted of ['a', 'a', 'a/b, c']) await catalog.sources.open(source(wanted, manifest('x')))
    expect(catalog.sources.list().map(state => state.name)).toEqual(['a', 'a-2', 'a-b-c'])
  })

  it('finds a tool by a unique name or by reference, and suggests a similar name', async () => {
    const catalog = new Catalog(testContext)
    await catalog.sources.open(source('a', manifest('greet', 'twin')))
    await catalog.sources.open(source('b', manifest('twin')))
    expect(catalog.tools.find('greet').ref).toBe('a/greet')
    expect(catalog.tools.find('b/twin').source).toBe('b')
    expect(codeOf(() => catalog.tools.find('twin'))).toBe('tool-ambiguous')
    expect(() => catalog.tools.find('gret')).toThrow('did you mean "greet"?')
    await catalog.sources.open(source('c', manifest('a_twin')))
    expect(() => catalog.tools.find('a_twin')).toThrow('"a_twin" is "c/a_twin" and "a/twin"')
    await catalog.sources.open(source('d', manifest('a twin')))
    expect(() => catalog.tools.find('a_twin')).toThrow('"c/a_twin" and "a/twin" and "d/a twin"')
    expect(catalog.tools.find('a twin').ref).toBe('d/a twin')
    await catalog.sources.open(source('e', manifest('a/gone', 'x/gone', 'ax')))
    expect(catalog.tools.find('ax').ref).toBe('e/ax')
    expect(codeOf(() => catalog.tools.find('a/gone'))).toBe('tool-not-found')
    expect(catalog.tools.find('x/gone').ref).toBe('e/x/gone')
  })

  it('counts for each source the tools that it shows', async () => {
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
    await catalog.sources.open(source('tree', tree))
    expect(catalog.sources.list()).toMatchObject([{ name: 'tree', toolCount: 2 }])
    await catalog.sources.open({
      ...callable,
      open: async context => ({ ...(await callable.open(context)), async *call() {} }),
    })
    expect(catalog.sources.list()).toMatchObject([
      { name: 'tree', toolCount: 1, hiddenTools: 1 },
      { name: 'bridge', toolCount: 1 },
    ])
    expect(catalog.tools.list()).toHaveLength(2)
    await catalog.sources.stop('bridge')
    expect(catalog.sources.list()).toMatchObject([{ toolCount: 2 }, { toolCount: 0 }])
  })

  it('shows the tools of a functions directory, whatever fields the tools of a server have', async () => {
    const catalog = new Catalog(testContext)
    const list = (extra: object): Manifest => ({
      ...manifest(),
      tools: [{ name: 'fs_read', inputSchema: {}, extra: { ...extra } }],
    })
    await catalog.sources.open(source('tree', list({ mcp: 'fs', throughBridge: true })))
    const hostile = source('hostile', list({ mcp: 'fs' }))
    await catalog.sources.open({
      ...hostile,
      kind: 'mcp-server',
      open: async context => ({ ...(await hostile.open(context)), async *call() {} }),
    })
    expect(catalog.tools.list().map(({ ref }) => ref)).toEqual(['tree/fs_read', 'hostile/fs_read'])
  })

  it('keeps the last good list when a refresh fails, and reports the failure', async () => {
    const catalog = new Catalog(testContext)
    await catalog.sources.open(
      source('a', manifest('x'), new AppError('source-failed', 'gone'), manifest('y')),
    )
    const failed = await catalog.sources.refresh('a')
    expect(failed).toMatchObject({ status: 'degraded', toolCount: 1, error: { code: 'source-failed' } })
    expect(catalog.tools.find('x').ref).toBe('a/x')
    expect(await catalog.sources.refresh('a')).toMatchObject({ status: 'ready', toolCount: 1 })
    expect(catalog.tools.list().map(tool => tool.name)).toEqual(['y'])
  })

  it('waits for a source that is started again, and without that says that it is not connected', async () => {
    const catalog = new Catalog(testContext)
    const spec = source('a', manifest('x'))
    let starts = 0
    let start = () => {}
    const started = new Promise<void>(resolve => {
      start = resolve
    })
    await catalog.sources.open({
      ...spec,
      open: async context => {
        starts += 1
        if (starts > 1) await started
        return spec.open(context)
      },
    })
    const restarted = catalog.sources.restart('a')
    const connected = catalog.untilConnected('a/x')
    await new Promise(resolve => setImmediate(resolve))
    expect(codeOf(() => catalog.callTarget('a/x'))).toBe('source-failed')
    start()
    await connected
    expect(catalog.callTarget('a/x').tool.name).toBe('x')
    await restarted
  })

  it('opens other sources although one is broken, and emits what changed in which source', async () => {
    const catalog = new Catalog(testContext)
    const events: string[] = []
    const stop = catalog.sources.onChange(({ what, source }) => events.push(`${what} ${source}`))
    await Promise.all([
      catalog.sources.open(source('broken', new Error('bug'))),
      catalog.sources.open(source('good', manifest('x'))),
    ])
    expect(catalog.sources.list().map(state => state.status)).toEqual(['failed', 'ready'])
    // Each opens; then one fails, and the other has tools.
    expect(events.splice(0).sort()).toEqual([
      'sources broken',
      'sources broken',
      'sources good',
      'sources good',
      'tools good',
    ])
    stop()
    await catalog.sources.refresh('good')
    expect(events).toEqual([])
  })

  it('rebuilds cached values after each change of the tools or the sources, and only then', async () => {
    const catalog = new Catalog(testContext)
    const names = catalog.sources.cached(() => catalog.tools.list().map(({ ref }) => ref))
    expect(names()).toEqual([])
    await catalog.sources.open(source('a', manifest('x'), manifest('y')))
    const first = names()
    expect(first).toEqual(['a/x'])
    expect(names()).toBe(first)
    await catalog.sources.open(source('broken', new Error('no list')))
    // Names of tools depend on the sources too.
    const second = names()
    expect(second).toEqual(first)
    await catalog.sources.refresh('broken')
    expect(names()).toBe(second)
    await catalog.sources.refresh('a')
    expect(names()).toEqual(['a/y'])
    catalog.sources.rename('a', 'b')
    expect(names()).toEqual(['b/y'])
    await catalog.sources.change('b', { ...source('b', manifest('z')), definition: 'other' })
    expect(names()).toEqual(['b/z'])
    await catalog.sources.stop('b')
    expect(names()).toEqual([])
    await catalog.sources.restart('b')
    expect(names()).toEqual(['b/z'])
    await catalog.sources.remove('b')
    expect(names()).toEqual([])
  })

  it('emits a change for both sources when one hides a tool of the other', async () => {
    const catalog = new Catalog(testContext)
    const extra = { mcp: 'fs', throughBridge: true }
    const entry = { name: 'fs_read', inputSchema: {}, extra }
    await catalog.sources.open(source('tree', { ...manifest(), tools: [entry] }))
    const events: string[] = []
    catalog.sources.onChange(({ what, source }) => events.push(`${what} ${source}`))
    const bridge = source('bridge', { ...manifest(), tools: [{ ...entry, extra: { mcp: 'fs' } }] })
    await catalog.sources.open({
      ...bridge,
      open: async context => ({ ...(await bridge.open(context)), async *call() {} }),
    })
    expect(events.splice(0)).toEqual([
      'sources bridge',
      'sources tree',
      'tools bridge',
      'tools tree',
      'sources bridge',
    ])
    await catalog.sources.remove('bridge')
    expect(events.splice(0)).toEqual([
      'sources tree',
      'tools bridge',
      'tools tree',
      'agents bridge',
      'sources bridge',
    ])
  })

  it('emits changes of a resource under the current name of its source', async () => {
    const catalog = new Catalog(testContext)
    const changed: string[] = []
    catalog.sources.onChange(({ what, source }) => what === 'resource' && changed.push(source))
    let report = () => {}
    const reporting = (definition: string): SourceSpec => {
      const spec = source('acme', manifest('x'))
      const open: SourceSpec['open'] = context => {
        report = () => context.resourceChanged?.('file:///a.txt')
        return spec.open(context)
      }
      return { ...spec, definition, open }
    }
    await catalog.sources.open(reporting('first'))
    report()
    catalog.sources.rename('acme', 'store')
    report()
    await catalog.sources.change('store', reporting('second'))
    report()
    expect(changed).toEqual(['acme', 'store', 'store'])
  })

  it('keeps a named source only if it opens, refuses it a second time, and emits nothing until it is open', async () => {
    const catalog = new Catalog(testContext)
    const events: unknown[] = []
    catalog.sources.onChange(event => events.push(event))
    const broken = source('acme', new AppError('source-failed', 'no list'))
    await expect(catalog.sources.openNamed(broken)).rejects.toMatchObject({ code: 'source-failed' })
    expect(catalog.sources.list()).toEqual([])
    expect(events).toEqual([])
    expect(await catalog.sources.openNamed(source('acme', manifest('greet')))).toMatchObject({
      name: 'acme',
      status: 'ready',
      toolCount: 1,
    })
    expect(events).toContainEqual({ what: 'tools', source: 'acme' })
    await expect(catalog.sources.openNamed(source('acme', manifest('greet')))).rejects.toMatchObject({
      code: 'source-known',
      detail: 'it is called "acme"',
    })
    expect(catalog.tools.list()).toHaveLength(1)
  })

  it('restores a removed source as it was: open or stopped', async () => {
    const catalog = new Catalog(testContext)
    for (const status of ['ready', 'stopped']) {
      await catalog.sources.open(source(status, manifest('greet')))
      if (status === 'stopped') await catalog.sources.stop(status)
      await catalog.sources.remove(status)
      expect(catalog.sources.find(status)).toBeUndefined()
      expect(await catalog.sources.restore(status)).toMatchObject({ name: status, status })
    }
    expect(catalog.tools.list()).toHaveLength(1)
    await expect(catalog.sources.restore('nobody')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('ignores what a source reports after it was stopped', async () => {
    const catalog = new Catalog(testContext)
    const slow = source('slow', manifest('x'))
    let closed = 0
    let finishReading = () => {}
    const reading = new Promise<void>(resolve => {
      finishReading = resolve
    })
    const manifests: string[] = []
    catalog.sources.onManifest(read => manifests.push(read.source))
    const opened = catalog.sources.open({
      ...slow,
      open: async context => {
        const session = await slow.open(context)
        const readList = () => reading.then(() => session.manifest(new AbortController().signal))
        return { ...session, manifest: readList, close: async () => void closed++ }
      },
    })
    await new Promise(resolve => setImmediate(resolve))
    const stopped = catalog.sources.stop('slow')
    expect(catalog.sources.list()).toMatchObject([{ status: 'stopped', toolCount: 0 }])
    finishReading()
    await Promise.all([opened, stopped])
    expect(catalog.sources.list()).toMatchObject([{ status: 'stopped', toolCount: 0 }])
    expect({ closed, manifests, tools: catalog.tools.list() }).toEqual({
      closed: 1,
      manifests: [],
      tools: [],
    })
    expect(await catalog.sources.restart('slow')).toMatchObject({ status: 'ready', toolCount: 1 })
  })
})
