import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { awaitEnding } from '../../core/tool/outcome.ts'
import { Catalog } from '../catalog/catalog.ts'
import { detectSource } from '../recognise/detect-source.ts'
import { neverAborted, resolveInRepository, testContext } from '../sources/testkit.ts'
import { startValidator } from '../workers/validator.ts'
import { createCaller } from './call.ts'
import { readEnvironmentTrace, readTrace } from './read-trace.ts'

const validator = startValidator()
afterAll(() => validator.close())

describe('trace of a call to an MCP server', () => {
  const catalog = new Catalog(testContext)
  let ref = ''
  beforeAll(async () => {
    const passes = resolveInRepository('server/sources/fixtures/mcp-passes.mjs')
    const spec = await detectSource(['mcp:', process.execPath, passes], testContext)
    ref = `${(await catalog.sources.open(spec)).name}/meta`
  })
  afterAll(() => catalog.close())

  const call = async (options = {}) => {
    const events = createCaller({ tools: catalog, validator, pins: null })({
      ref,
      input: { text: '{}', value: {} },
      origin: 'API',
      options,
      signal: neverAborted(),
    })
    let trace: unknown
    const ending = await awaitEnding(events, event => {
      if (event.type === 'started') trace = event.trace
    })
    const [block] = ending.content
    return { trace, received: JSON.parse(block?.type === 'text' ? block.text : '') }
  }

  it('is begun by the call, and is what the server receives', async () => {
    const { trace, received } = await call()
    expect(trace).toEqual({
      traceparent: expect.stringMatching(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/),
    })
    expect(received).toMatchObject(trace as object)
    expect((await call()).trace).not.toEqual(trace)
  })

  it('is that of the caller, if it has one', async () => {
    const trace = readEnvironmentTrace({
      TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      TRACESTATE: 'a=1',
      BAGGAGE: 'b=2',
    })
    const called = await call({ caller: { trace } })
    expect(called.trace).toEqual(trace)
    expect(called.received).toMatchObject({ tracestate: 'a=1', baggage: 'b=2' })
    expect(readTrace({ tracestate: 'a=1' })).toBeUndefined()
  })
})
