/** An llm-functions tree as an MCP server: what mcp-llm-functions lists and answers is what `toolscope mcp` does. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { program, runToolscope } from '../../scripts/toolscope-program.ts'
import { entry, makeTree } from '../llm-functions/testkit.ts'

const original = createRequire(import.meta.url).resolve('mcp-llm-functions')

const node = (code: string) => `#!/usr/bin/env node\n${code}\n`
const writes = (expression: string) =>
  node(`require('node:fs').writeFileSync(process.env.LLM_OUTPUT, String(${expression}))`)

/** Two tools of the root, one of a bridge that was merged into it, and two agents; `lonely` is shared by one alone. */
const makeAgentTree = () =>
  makeTree({
    'functions.json': [entry('greet', { name: {} }), entry('fails'), entry('web_find', {}, { mcp: 'web' })],
    'agents/guide/functions.json': [
      entry('where', {}, { agent: true }),
      entry('greet', { name: {} }),
      entry('lonely'),
    ],
    'agents/guide/index.yaml':
      'instructions: You guide {{who}} to {{goal}}.\nvariables: [{name: who, default: Ada}, {name: goal, default: home}]\n',
    'agents/cook/functions.json': [entry('boil', {}, { agent: true })],
    'agents/cook/index.yaml': 'instructions: ""\ndynamic_instructions: true\n',
    'bin/greet': writes("'Hi ' + JSON.parse(process.argv[2]).name"),
    'bin/fails': node("console.error('first line\\nsecond line'); process.exit(3)"),
    'bin/lonely': writes("'here'"),
    'bin/guide': writes('process.env.LLM_AGENT_VAR_WHO + process.env.LLM_AGENT_VAR_GOAL'),
    'bin/cook': writes("process.argv[2] === '_instructions' ? 'You cook {{__os__}} food.' : 'boiled'"),
  })

async function connect(args: readonly string[], environment: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' })
  const env = { PATH: process.env.PATH ?? '', ...environment }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'ignore' }),
  )
  onTestFinished(() => client.close())
  const names = async () => (await client.listTools()).tools.map(tool => tool.name)
  const call = async (name: string, input: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: input })
  return { client, names, call }
}

const ours = (root: string, more: readonly string[] = [], environment?: Record<string, string>) =>
  connect([program, 'mcp', root, ...more], environment)

describe('toolscope mcp of a tree without --agent', () => {
  it('lists the tools of the root without those of MCP servers, and answers like the original', async () => {
    const root = makeAgentTree()
    const [its, own] = await Promise.all([connect([original, root]), ours(root)])
    expect(await its.names()).toEqual(['greet', 'fails'])
    expect(await own.names()).toEqual(['greet', 'fails'])
    expect(await its.call('greet', { name: 'Ada' })).toEqual({ content: [{ type: 'text', text: 'Hi Ada' }] })
    expect(await own.call('greet', { name: 'Ada' })).toMatchObject({
      content: [{ type: 'text', text: 'Hi Ada' }],
    })
  })

  it('--agents adds the tools of all agents or of the named ones', async () => {
    const root = makeAgentTree()
    const all = await ours(root, ['--agents', 'all'])
    expect(await all.names()).toEqual(['greet', 'fails', 'cook_boil', 'guide_where', 'lonely'])
    const cook = await ours(root, ['--agents', 'cook'])
    expect(await cook.names()).toEqual(['greet', 'fails', 'cook_boil'])
    const unknown = await runToolscope(['mcp', root, '--agents', 'cook,nobody'])
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no agent "nobody"') })
    const both = await runToolscope(['mcp', root, '--agents', 'cook', '--agent', 'guide'])
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--agents') })
  })

  it.each(['1', 'true'])('AGENT_TOOLS_ONLY=%s lists only the own tools of agents', async value => {
    const root = makeAgentTree()
    const environment = { AGENT_TOOLS_ONLY: value }
    for (const [words, expected] of [
      [[], []],
      [['guide'], ['where']],
    ] as const) {
      const its = await connect([original, root, ...words], environment)
      const own = await ours(root, words.length > 0 ? ['--agent', words[0] ?? ''] : [], environment)
      expect(await its.names()).toEqual(expected)
      expect(await own.names()).toEqual(expected)
    }
    const added = await ours(root, ['--agents', 'all'], environment)
    expect(await added.names()).toEqual(['cook_boil', 'guide_where'])
  })

  it.each(['0', 'false', 'yes'])('AGENT_TOOLS_ONLY=%s changes nothing', async value => {
    const root = makeAgentTree()
    expect(await (await connect([original, root], { AGENT_TOOLS_ONLY: value })).names()).toHaveLength(2)
    expect(await (await ours(root, [], { AGENT_TOOLS_ONLY: value })).names()).toHaveLength(2)
  })
})

describe('variables of an agent', () => {
  it.each([
    ['index.yaml', [], {}, 'Ada', 'home'],
    ['the environment before it', [], { LLM_AGENT_VAR_WHO: 'Bo' }, 'Bo', 'home'],
    ['--variables before both', ['--variables', '{"who":"Cy"}'], { LLM_AGENT_VAR_WHO: 'Bo' }, 'Cy', 'home'],
  ] as const)('come from %s', async (_what, words, environment, who, goal) => {
    const root = makeAgentTree()
    const { client, call } = await ours(root, ['--agent', 'guide', ...words], environment)
    expect(client.getInstructions()).toBe(`You guide ${who} to ${goal}.`)
    expect(await call('where')).toMatchObject({ content: [{ text: `${who}${goal}` }] })
  })

  it('come from the environment in the original', async () => {
    const its = await connect([original, makeAgentTree(), 'guide'], {
      LLM_AGENT_VAR_WHO: 'Bo',
      LLM_AGENT_VAR_GOAL: 'sea',
    })
    expect(await its.call('where')).toMatchObject({ content: [{ text: 'Bosea' }] })
  })
})

it('toolscope mcp: asks an agent for its dynamic instructions', async () => {
  const { client } = await ours(makeAgentTree(), ['--agent', 'cook'])
  expect(client.getInstructions()).toMatch(/^You cook \w+ food\.$/)
  const silent = makeTree({
    'agents/cook/functions.json': [entry('boil', {}, { agent: true })],
    'agents/cook/index.yaml': 'instructions: Be brief.\ndynamic_instructions: true\n',
    'bin/cook': node("console.error('no stove'); process.exit(1)"),
  })
  const { stderr } = await runToolscope(['mcp', silent, '--agent', 'cook'])
  expect(stderr).toContain('no stove')
  expect((await ours(silent, ['--agent', 'cook'])).client.getInstructions()).toBe('Be brief.')
})

describe('error message of a functions tree', () => {
  it('contains the exit code and each line of stderr once', async () => {
    const root = makeAgentTree()
    const [its, own] = await Promise.all([connect([original, root]), ours(root)])
    expect(await its.call('fails')).toMatchObject({
      isError: true,
      content: [{ text: 'first line\nsecond line\n' }],
    })
    expect(await own.call('fails')).toMatchObject({
      isError: true,
      content: [{ text: 'exit code 3\nfirst line\nsecond line\n' }],
    })
    const { stderr } = await runToolscope(['call', 'fails', root])
    expect(stderr.match(/first line/g)).toHaveLength(1)
  })

  it.each([
    ['mcp', 'no-such-tree'],
    ['call', 'greet', 'no-such-tree'],
    ['list', 'no-such-tree'],
  ])('names a missing source once: toolscope %s', async (...words) => {
    const { stderr } = await runToolscope(words)
    expect(stderr.match(/No such file or program/g)).toHaveLength(1)
    expect(stderr.match(new RegExp(join('no-such-tree'), 'g'))?.length).toBeLessThanOrEqual(2)
  })
})
