import { describe, expect, test } from 'vitest'
import type { Contract } from '../../core/api/contract.ts'
import type { AnswerOf } from '../../core/api/endpoint.ts'
import { renderInstructions, variableValues } from '../../core/tool/agent.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import { toolRoutes } from '../http/routes/tools.ts'
import { detectSource } from '../recognise/detect-source.ts'
import { testContext } from '../sources/testkit.ts'
import { Catalog } from './catalog.ts'

async function exampleCatalog() {
  const catalog = new Catalog(testContext)
  await catalog.sources.open(await detectSource('examples/functions', testContext))
  return catalog
}

describe('GET /api/agents', () => {
  test('gives each agent with its tools by reference and all that rendering its instructions needs', async () => {
    const catalog = await exampleCatalog()
    const answer = await toolRoutes(catalog, { demand: async () => {}, demandItems: async () => {} }).request(
      '/api/agents',
    )
    const { agents } = (await answer.json()) as AnswerOf<Contract['GET /api/agents']>
    const [garden] = agents
    if (garden === undefined) throw new Error('no agent')
    expect(garden).toMatchObject({
      source: 'functions',
      name: 'garden',
      title: 'Garden keeper',
      problems: [],
    })
    expect(garden.ownTools[0]).toEqual({
      ref: 'functions/garden add_plant',
      name: 'garden add_plant',
      description: 'Note down a plant.',
    })
    expect(garden.sharedTools.map(tool => tool.ref)).toEqual(['functions/convert_units'])
    for (const { ref } of [...garden.ownTools, ...garden.sharedTools])
      expect(catalog.callTarget(ref ?? '').tool.ref).toBe(ref)
    const values = { ...variableValues(garden.variables, { owner: 'Ada' }), ...garden.builtIn }
    expect(renderInstructions(garden.instructions, values)).toMatch(
      /^You keep the garden of Ada in Bergen\. Today is \d{4}-\d\d-\d\dT.*\nAnswer in English,[\s\S]*\n1\. add_plant: Note down a plant\.\n2\. list_plants: [\s\S]*\n5\. convert_units: Convert/,
    )
    expect(garden.builtIn).toMatchObject({
      __os_family__: process.platform === 'win32' ? 'windows' : 'unix',
      __cwd__: process.cwd(),
    })
    await catalog.close()
  })
})

test('catalog: shows a tool of both a bridge and a functions.json once, and agents refer to that one', async () => {
  const catalog = new Catalog(testContext)
  const session = (tools: readonly ManifestTool[], more: object = {}) => ({
    label: '',
    manifest: async () => ({ tools, problems: [], format: '' }),
    // biome-ignore lint/correctness/useYield: never called.
    call: async function* () {
      throw new Error('not called')
    },
    close: async () => {},
    ...more,
  })
  const open = (name: string, opened: ReturnType<typeof session>) =>
    catalog.sources.open({
      settings: { name },
      kind: name === 'tree' ? 'functions-directory' : 'bridge-url',
      label: name,
      definition: name,
      open: async () => opened,
    })
  const tool = (name: string, extra: object) => ({ name, inputSchema: true, extra: { ...extra } })
  await open(
    'tree',
    session(
      [tool('fs_cat', { mcp: 'fs', throughBridge: true }), tool('fs_rm', { mcp: 'fs', throughBridge: true })],
      {
        agents: {
          list: () => [{ name: 'a', ownTools: [], sharedTools: ['fs_cat', 'fs_rm'] }],
          environment: () => ({}),
        },
      },
    ),
  )
  expect(catalog.tools.list().map(each => each.ref)).toEqual(['tree/fs_cat', 'tree/fs_rm'])
  await open('bridge', session([tool('fs_cat', { mcp: 'fs' }), tool('fs_rm', { mcp: 'other' })]))
  expect(
    catalog.tools
      .list()
      .map(each => each.ref)
      .sort(),
  ).toEqual(['bridge/fs_cat', 'bridge/fs_rm', 'tree/fs_rm'])
  expect(catalog.agents()[0]?.sharedTools.map(each => each.ref)).toEqual(['bridge/fs_cat', 'tree/fs_rm'])
  await catalog.close()
})
