import { createRequire } from 'node:module'
import { afterAll, describe, expect, test } from 'vitest'
import type { HiddenCatalogPattern } from '../../core/api/hidden-catalog.ts'
import type { JsonSchema, Manifest } from '../../core/tool/tool.ts'
import { incurProgram, isIncurInstalled } from '../../scripts/incur-fixture.mjs'
import { configuredSource } from '../recognise/detect-source.ts'
import type { Session } from '../sources/source.ts'
import {
  callAndWait,
  neverAborted,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from '../sources/testkit.ts'
import { HiddenCatalog } from './hidden-catalog.ts'

const server = [process.execPath, resolveInRepository('server/sources/fixtures/mcp-hidden.mjs')]
const opened: Session[] = []
afterAll(() => Promise.all(opened.map(session => session.close())))

async function open(settings: Partial<Parameters<typeof configuredSource>[1]> = {}, ...words: string[]) {
  const entry = { mcp: { command: [...server, ...words] } }
  const session = await configuredSource(entry, { name: 'hidden', ...settings }, {}).open(testContext)
  opened.push(session)
  return session
}

const namesOf = ({ tools }: Manifest) => tools.map(({ name }) => name)
const ownNames = ['search_tools', 'get_tool_details', 'call_read_tool', 'call_write_tool']
const hiddenNames = ['read_note', 'write_note', 'refuse']

describe('hidden catalog: a server with incur’s tools', async () => {
  const session = await open()

  test('unfold: lists the tools behind, page by page, with their schemas and annotations', async () => {
    const manifest = await session.manifest(neverAborted())
    expect(manifest.problems).toEqual([])
    expect(namesOf(manifest)).toEqual(hiddenNames)
    expect(session.about?.()).toMatchObject({ foundBy: 'search_tools' })
    expect(manifest.tools[0]).toEqual({
      name: 'read_note',
      description: 'Read a note.',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      outputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      annotations: { readOnlyHint: true },
      calledBy: 'call_read_tool',
    })
    expect(await session.manifest(neverAborted())).toBe(manifest)
  })

  test('call: uses the tool for reading or the one for writing, and unwraps the result', async () => {
    const write = await callAndWait(session, await toolNamed(session, 'write_note'), { id: 'a', text: 'b' })
    expect(write.ending).toMatchObject({ type: 'result', structuredContent: ['a'], raw: '["a"]' })
    const read = await callAndWait(session, await toolNamed(session, 'read_note'), { id: 'a' })
    expect(read.ending).toMatchObject({ type: 'result', structuredContent: { text: 'b' } })
  })

  test('call: an error in JSON becomes a failure with its issues, and an unknown tool is not found', async () => {
    const refuse = await toolNamed(session, 'refuse')
    expect((await callAndWait(session, refuse, {})).ending).toMatchObject({
      type: 'failure',
      reason: 'tool-error',
      message: 'TAKEN: The id is taken.',
      issues: [{ path: '/id', message: 'taken' }],
    })
    const catalog = createCatalog()
    await catalog.unfold(await ownTools(), undefined, callOwn, { signal: neverAborted() })
    const call = () =>
      callOwn({ name: 'call_write_tool', inputSchema: true }, toInput({ name: 'gone' }), neverAborted())
    expect(await catalog.call(refuse, toInput({}), call, () => {})).toMatchObject({ reason: 'not-found' })
  })
})

const createCatalog = (pattern?: HiddenCatalogPattern, environment = {}) =>
  new HiddenCatalog({ mode: undefined, pattern, environment })
const toInput = (value: unknown) => ({ text: JSON.stringify(value), value })
let ownSession: Promise<Session> | undefined
/** One server for all faults: it lists only its own tools. */
const ownServer = () => {
  ownSession ??= open({ ownTools: 'only' })
  return ownSession
}
const ownTools = async () => (await ownServer()).manifest(neverAborted())
const callOwn: Parameters<HiddenCatalog['unfold']>[2] = async (tool, input) =>
  (await callAndWait(await ownServer(), tool, input.text)).ending

/** The pattern of the server, with a fault of its list or of its descriptions. */
const withFault = (list?: string, describes?: string): HiddenCatalogPattern => ({
  list: {
    tool: 'search_tools',
    arguments: { offset: '{next}', ...(list && { fault: list }) },
    entries: '/tools',
    next: '/nextOffset',
  },
  ...(describes !== 'none' && {
    describe: {
      tool: 'get_tool_details',
      arguments: { name: '{name}', ...(describes && { fault: describes }) },
    },
  }),
  call: { tool: 'call_write_tool', readOnlyTool: 'call_read_tool' },
})

describe('hidden catalog: a catalog that misbehaves', () => {
  const unfold = async (pattern: HiddenCatalogPattern, limits = {}) =>
    createCatalog(pattern).unfold(await ownTools(), undefined, callOwn, {
      signal: neverAborted(),
      ...limits,
    })

  test.each([
    ['itself', undefined, hiddenNames, '"search_tools" lists the server’s own tool; it is left out.'],
    ['duplicates', undefined, hiddenNames, '"search_tools" lists the name twice; once is enough.'],
    ['circle', undefined, hiddenNames, 'was not read to its end: a page points back to itself.'],
    ['stuck', undefined, hiddenNames, 'a page has no new tool, and another one follows.'],
    ['odd', undefined, ['read_note'], 'The entry has no name.'],
    ['shape', undefined, [], '"search_tools" answered without a list at "/tools".'],
    ['prose', undefined, [], '"search_tools" answered without a list at "/tools".'],
    ['fails', undefined, [], '"search_tools" did not list its tools: The index is being built.'],
    [undefined, 'broken', hiddenNames, '"get_tool_details" answered without a description.'],
    [undefined, 'one-other', hiddenNames, '"get_tool_details" describes "another" in its place.'],
    [undefined, 'others', hiddenNames, '"get_tool_details" describes "another" in its place.'],
    [undefined, 'fails', hiddenNames, '"get_tool_details" did not describe it: No.'],
  ])(
    'unfold: list %s, descriptions %s: a problem, and the own tools remain',
    async (list, describes, names, said) => {
      const manifest = await unfold(withFault(list, describes))
      expect(namesOf(manifest)).toEqual([...ownNames, ...names])
      expect(manifest.problems.map(({ message }) => message).join('\n')).toContain(said)
    },
  )

  test('unfold: one broken description leaves the others with their schemas', async () => {
    const { tools, problems } = await unfold(withFault(undefined, 'broken'))
    expect(tools.find(tool => tool.name === 'refuse')?.inputSchema).toEqual({ type: 'object' })
    expect(tools.find(tool => tool.name === 'read_note')?.outputSchema).toBeDefined()
    expect(problems.map(({ name }) => name)).toEqual(['refuse', 'refuse'])
  })

  test.each(['many', 'endless'])(
    'unfold: %s tools end at the limit, and the own tools remain',
    async list => {
      const manifest = await unfold(withFault(list, 'none'))
      expect(namesOf(manifest)).toHaveLength(5_000 + ownNames.length)
      expect(manifest.problems).toContainEqual(
        expect.objectContaining({
          message: '"search_tools" lists more than 5,000 tools; the others are left out.',
        }),
      )
    },
  )

  test('unfold: descriptions that always fail are not requested for every tool', async () => {
    const { problems } = await unfold(withFault('many', 'fails'), { maxTools: 200 })
    expect(problems.filter(({ message }) => message.includes('did not describe it')).length).toBeLessThan(40)
    expect(problems).toContainEqual({
      message: '"get_tool_details" failed 20 times; it is not called again.',
    })
  })

  test('unfold: a list that never answers ends with the time limit', async () => {
    const manifest = await unfold(withFault('hangs'), { maxMs: 200 })
    expect(namesOf(manifest)).toEqual(ownNames)
    expect(manifest.problems).toEqual([
      { message: 'The tools behind "search_tools" were not read to their end within 0.2 s.' },
    ])
  })

  test('unfold: rejects if the caller stops', async () => {
    await expect(unfold(withFault('hangs'), { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })
})

describe('hidden catalog: settings', () => {
  test('settings: a pattern of toolscope.json is used, and own tools are listed too if wanted', async () => {
    const session = await open({ hiddenCatalog: withFault(), ownTools: 'also' })
    const manifest = await session.manifest(neverAborted())
    expect(manifest.problems).toEqual([])
    expect(namesOf(manifest)).toEqual([...ownNames, ...hiddenNames])
    const { ending } = await callAndWait(session, await toolNamed(session, 'search_tools'), { limit: 1 })
    expect(ending).toMatchObject({ type: 'result', content: [{ type: 'text' }] })
    expect(ending.structuredContent).toBeUndefined()
  })

  test('settings: a pattern has its own names, locations and input', async () => {
    const hiddenCatalog: HiddenCatalogPattern = {
      list: { tool: 'find', arguments: { after: '{next}' }, entries: '/page/items', next: '/last' },
      call: { tool: 'run', arguments: { line: 'do {name} {input}' } },
      fields: { name: '/about/id', inputSchema: '/in' },
    }
    const session = await open({ hiddenCatalog }, '--custom')
    const manifest = await session.manifest(neverAborted())
    expect(manifest.problems).toEqual([])
    expect(namesOf(manifest)).toEqual(['ping', ...hiddenNames])
    expect(manifest.tools[2]).toEqual({
      name: 'write_note',
      inputSchema: expect.objectContaining({ required: ['id', 'text'] }),
      annotations: { destructiveHint: true },
      calledBy: 'run',
    })
    const write = await callAndWait(session, await toolNamed(session, 'write_note'), {
      id: '{name}',
      text: 'b',
    })
    expect(write.ending).toMatchObject({ type: 'result', structuredContent: ['{name}'] })
  })

  test('settings: a plain shell is not taken for a ScriptedTool', async () => {
    const session = await open({}, '--shell')
    const manifest = await session.manifest(neverAborted())
    expect(manifest.problems).toEqual([])
    expect(namesOf(manifest)).toEqual(['bash'])
    expect(session.about?.()).not.toHaveProperty('foundBy')
  })

  test.each([
    ['search_tools', 'search_tools', undefined],
    ['get_.*', 'get_tool_details', undefined],
    ['(', 'search_tools', undefined],
    ['find', 'find', { list: { tool: 'find', entries: '/page/items' }, call: { tool: 'ping' } }],
  ])(
    'unfold: %s in LLM_MCP_NEED_CONFIRM asks before %s, so nothing is called',
    async (need, name, pattern) => {
      const list = await ownTools()
      const tools = [...list.tools, ...['find', 'ping'].map(name => ({ name, inputSchema: true }))]
      const catalog = createCatalog(pattern, { LLM_MCP_NEED_CONFIRM: need })
      const never = () => Promise.reject(new Error('it was called'))
      const manifest = await catalog.unfold({ ...list, tools }, undefined, never, { signal: neverAborted() })
      expect(manifest.tools).toBe(tools)
      expect(manifest.problems).toMatchObject([
        { name, message: expect.stringContaining(`LLM_MCP_NEED_CONFIRM asks before "${name}"`) },
      ])
      expect(catalog.foundBy).toBeUndefined()
    },
  )

  test('unfold: a tool without hints is as destructive as the tool that calls it', async () => {
    const list = await ownTools()
    const destructive = { destructiveHint: true }
    const tools = list.tools.map(tool => ({ ...tool, annotations: destructive }))
    const catalog = createCatalog(withFault())
    const unfold = (before?: Manifest) =>
      catalog.unfold({ ...list, tools }, before, callOwn, { signal: neverAborted() })
    const manifest = await unfold()
    expect(manifest.tools.map(({ annotations, calledBy }) => [annotations, calledBy])).toEqual([
      [{ readOnlyHint: true }, 'call_read_tool'],
      [destructive, 'call_write_tool'],
      [destructive, 'call_write_tool'],
    ])
    expect((await unfold(manifest)).tools[2]).toBe(manifest.tools[2])
  })

  test('settings: a pattern that names a missing tool is a problem', async () => {
    const pattern = { ...withFault(), list: { tool: 'find' } }
    const list = await ownTools()
    const catalog = createCatalog(pattern)
    const manifest = await catalog.unfold(list, undefined, callOwn, { signal: neverAborted() })
    expect(namesOf(manifest)).toEqual(ownNames)
    expect(manifest.problems[0]?.message).toBe(
      '"hiddenCatalog" names the tool "find", which the server does not list.',
    )
  })

  test('call: the wrapped input keeps the digits of its numbers', async () => {
    const catalog = createCatalog()
    const { tools } = await catalog.unfold(await ownTools(), undefined, callOwn, { signal: neverAborted() })
    const sent: unknown[] = []
    await catalog.call(
      { name: 'write_note', inputSchema: true, ...tools.find(tool => tool.name === 'write_note') },
      { text: '{"id":12345678901234567890.10}', value: {} },
      async (tool, { text }) => {
        sent.push(tool.name, text)
        return { type: 'result', content: [] }
      },
      () => {},
    )
    expect(sent).toEqual([
      'call_write_tool',
      '{"name":"write_note","arguments":{"id":12345678901234567890.10}}',
    ])
  })
})

/** Its package has no build for every machine. */
function hasScriptedTool(): boolean {
  try {
    return createRequire(import.meta.url)('@everruns/bashkit') !== undefined
  } catch {
    return false
  }
}

describe.skipIf(!hasScriptedTool())('hidden catalog: ScriptedTool', async () => {
  const session = await open({}, '--scripted')

  test('unfold: lists what help describes', async () => {
    const manifest = await session.manifest(neverAborted())
    expect(manifest.problems).toEqual([])
    expect(namesOf(manifest)).toEqual(['get_note', 'a_name_of_more_than_20_columns'])
    expect(manifest.tools[0]).toMatchObject({
      description: 'Get a note\nby its id',
      inputSchema: { properties: { count: { type: 'integer' } }, required: ['id'] },
    })
  })

  test('call: writes the input as flags, and unwraps stdout', async () => {
    const input = { id: `it's; "x" $(y)\n--z`, count: 3, labels: ['a,b', '', '--c'], size: { deep: [null] } }
    const { ending } = await callAndWait(session, await toolNamed(session, 'get_note'), input)
    expect(ending).toMatchObject({ type: 'result', structuredContent: input, exitCode: 0 })
    const words = await callAndWait(session, await toolNamed(session, 'a_name_of_more_than_20_columns'), {})
    expect(words.ending).toMatchObject({ type: 'result', content: [{ type: 'text', text: 'two words\n' }] })
    expect(words.ending.structuredContent).toBeUndefined()
  })

  test('call: an error of the shell is a failure with its exit code and stderr', async () => {
    const { ending, stderr } = await callAndWait(session, await toolNamed(session, 'get_note'), {})
    expect(ending).toMatchObject({
      type: 'failure',
      reason: 'exit',
      exitCode: 2,
      message: "exit code 2: get_note: schema error: required property 'id' is missing",
    })
    expect(stderr).toContain('schema error')
  })

  test('call: refuses what a flag cannot say', async () => {
    const tool = await toolNamed(session, 'get_note')
    for (const input of [{ id: null }, { id: 'a', any: 3 }, { id: 'a', other: [] }, [1]])
      expect((await callAndWait(session, tool, input)).ending).toMatchObject({
        type: 'failure',
        reason: 'spawn',
        message: expect.stringMatching(/^Not called\./),
      })
  })
})

describe.skipIf(!isIncurInstalled())('hidden catalog: incur over --llms and over --mcp', async () => {
  const [llms, mcp] = await Promise.all([
    openSource([process.execPath, incurProgram]),
    openSource(['mcp:', process.execPath, incurProgram, '--mcp']),
  ])
  opened.push(llms, mcp)
  const lists = Promise.all([llms, mcp].map(session => session.manifest(neverAborted())))

  /** incur joins the words of a name by `_` over MCP, and says nothing there of other members. */
  const toComparable = (schema: JsonSchema | undefined) => {
    const { properties = {}, required = [] } = typeof schema === 'object' ? schema : {}
    return { properties, required }
  }

  test('unfold: lists the same names and schemas', async () => {
    const [expected, unfolded] = await lists
    expect(unfolded?.problems).toEqual([])
    expect(
      unfolded?.tools.map(({ name, description, inputSchema, outputSchema }) => [
        name,
        description,
        toComparable(inputSchema),
        toComparable(outputSchema),
      ]),
    ).toEqual(
      expected?.tools.map(({ name, description, inputSchema, outputSchema }) => [
        name.replaceAll(' ', '_'),
        description,
        toComparable(inputSchema),
        toComparable(outputSchema),
      ]),
    )
  })

  test.each([
    ['api greet', { name: 'Ada', times: 2, loud: true, dryRun: false, tag: ['a', 'b'], size: 1.5 }],
    ['join', { words: ['a b', 'c; x'] }],
    ['count', { to: 3, fail: false }],
    ['text', {}],
  ])('call: %s gives the same result', async (name, input) => {
    const [byCommand, byTool] = await Promise.all([
      callAndWait(llms, await toolNamed(llms, name), input),
      callAndWait(mcp, await toolNamed(mcp, name.replaceAll(' ', '_')), input),
    ])
    expect(byTool.ending.type).toBe('result')
    expect(byTool.ending.structuredContent).toEqual(byCommand.ending.structuredContent)
  })

  test('call: a refused input has the same issues, and a failure its message', async () => {
    const refused = await callAndWait(mcp, await toolNamed(mcp, 'api_greet'), {})
    expect(refused.ending).toMatchObject({
      type: 'failure',
      reason: 'tool-error',
      message: expect.stringMatching(/^VALIDATION_ERROR: /),
      issues: [{ path: '/name', keyword: 'required' }],
    })
    const failed = await callAndWait(mcp, await toolNamed(mcp, 'refuse'), {})
    expect(failed.ending).toMatchObject({ type: 'failure', message: 'The desk is busy.' })
  })
})
