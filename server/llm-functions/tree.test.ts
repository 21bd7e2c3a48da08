import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FunctionExtra } from '../../core/tool/function-extra.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import { limitNow } from '../../scripts/test-processes.ts'
import {
  callAndWait,
  neverAborted,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from '../sources/testkit.ts'
import { parseDotenv, withDotenv } from './functions-directory.ts'
import { entry, makeTree, openTree } from './testkit.ts'

const extraOf = (tool: ManifestTool | undefined): FunctionExtra => tool?.extra ?? {}
const read = async (root: string, environment?: Record<string, string>) => {
  const session = await openTree(root, environment)
  const manifest = await session.manifest(neverAborted())
  return { session, ...manifest, tool: (name: string) => manifest.tools.find(each => each.name === name) }
}
const javascript = (description: string, properties = '') =>
  `/**\n * ${description}\n${properties} * @param {Args} args\n */\nexports.run = args => args\n`

describe('built functions tree', () => {
  test('of the example has no problems: sources and functions.json agree', async () => {
    const { tools, problems, format, session } = await read(resolveInRepository('examples/functions'))
    expect({ problems, format }).toEqual({ problems: [], format: 'functions.json' })
    expect(tools.map(tool => [tool.name, extraOf(tool).declaredIn])).toEqual([
      ['convert_units', 'tools/convert_units.js'],
      ['word_stats', 'tools/word_stats.py'],
      ['largest_files', 'tools/largest_files.sh'],
      ['garden add_plant', 'agents/garden/tools.js'],
      ['garden list_plants', 'agents/garden/tools.js'],
      ['garden water_bed', 'agents/garden/tools.js'],
      ['garden clear_garden', 'agents/garden/tools.js'],
    ])
    expect(extraOf(tools[3])).toMatchObject({ agent: true, agentName: 'garden', functionName: 'add_plant' })
    expect(session.agents?.list()).toMatchObject([
      {
        name: 'garden',
        title: 'Garden keeper',
        version: '0.2.0',
        variables: [
          { name: 'owner' },
          { name: 'place', default: 'Bergen' },
          { name: 'language', default: 'English' },
        ],
        conversationStarters: [expect.any(String), expect.any(String), expect.any(String)],
        documents: [
          { path: 'plant-guide.md', kind: 'file', size: expect.any(Number) },
          { path: 'beds/', kind: 'directory' },
          { path: 'https://example.com/frost-dates.txt', kind: 'url' },
        ],
        ownTools: ['garden add_plant', 'garden list_plants', 'garden water_bed', 'garden clear_garden'],
        sharedTools: ['convert_units'],
      },
    ])
  })

  test('is recognised by its folder', async () => {
    const session = await openSource('examples/functions/')
    expect((await session.manifest(neverAborted())).tools).toHaveLength(7)
    for (const folder of [
      'core',
      makeTree({ 'tools/release.js': 'exports.release = 1', 'tools/pipe.txt': '' }),
    ])
      await expect(openSource(folder, testContext)).rejects.toMatchObject({ code: 'source-unrecognised' })
    for (const [path, source] of [
      ['a.js', javascript('A.')],
      ['a.py', 'def run(): pass'],
      ['a.sh', '# @describe A\n'],
    ] as const)
      expect((await openSource(makeTree({ [`tools/${path}`]: source }))).label).toBeDefined()
  })

  test('says where source and functions.json differ, and what is not built', async () => {
    const root = makeTree({
      'tools.txt': '# chosen\nsame.js\nchanged.js\nnew.py\ngone.sh\n',
      'tools/same.js': javascript('Does same.', ' * @property {string} [a]\n'),
      'tools/changed.js': javascript(
        'Does it.',
        " * @property {integer} a - An a\n * @property {'x'|'y'} b\n",
      ),
      'tools/new.py': 'def run(a: int = 3):\n  "New."\n',
      'tools/unlisted.js': javascript('Not chosen.'),
      'functions.json': [
        entry('same', { a: { type: 'string' } }),
        {
          name: 'changed',
          description: 'Does it.',
          parameters: {
            type: 'object',
            properties: { a: { type: 'string', description: 'An a' }, old: {} },
            required: ['a'],
          },
        },
      ],
      'bin/same': '#!/usr/bin/env node\n',
    })
    const { problems, tools, tool } = await read(root)
    expect(tools.map(({ name }) => name)).toEqual(['same', 'changed', 'new'])
    expect(extraOf(tool('same'))).toEqual({ declaredIn: 'tools/same.js' })
    expect(extraOf(tool('changed')).stale).toEqual([
      '"old" is no longer in the source',
      '"a" is integer in the source and string in functions.json',
      '"b" is missing in functions.json',
    ])
    expect(tool('new')).toMatchObject({
      description: 'New.',
      inputSchema: { properties: { a: { type: 'integer', description: '' } }, required: ['a'] },
      extra: { unbuilt: true, declaredIn: 'tools/new.py' },
    })
    expect(problems.map(({ name, message }) => [name, message.slice(0, 60)])).toEqual([
      ['changed', 'functions.json and tools/changed.js disagree: "old" is no lo'],
      ['changed', 'It is declared, but bin/changed does not exist.'],
      ['new', 'It is declared in tools/new.py, and functions.json does not '],
      ['gone', 'tools.txt names "gone", and tools/ has no such source.'],
    ])
    for (const problem of problems.slice(0, 3)) expect(problem.hint).toContain('Run the build')
  })

  test('does not report the habits of the build as differences', async () => {
    const root = makeTree({
      'tools/a.py':
        'def run(x: str = None, y: List[str] = [], z: int = 3):\n  """A.\n\n  Args:\n    x: An x\n      it goes on\n    y (list): A y\n  """\n',
      'tools/b.js': javascript('B.', " * @property {'One' | 'Two'} [kind] - A kind\n"),
      'functions.json': [
        {
          name: 'a',
          description: 'A.',
          parameters: {
            type: 'object',
            properties: {
              x: { type: 'string', description: 'An x' },
              y: { type: 'array', items: { type: 'string' }, description: 'A y' },
              z: { type: 'integer', description: '' },
            },
            required: ['x', 'y', 'z'],
          },
        },
        {
          name: 'b',
          description: 'B.',
          parameters: {
            type: 'object',
            properties: { kind: { type: 'string', enum: ['one ', ' two'], description: 'A kind' } },
          },
        },
      ],
    })
    expect((await read(root)).tools.map(tool => extraOf(tool).stale)).toEqual([undefined, undefined])
  })

  test('with a broken functions.json loses only the tools of that file', async () => {
    const root = makeTree({
      'functions.json': '[{"name": "a", ',
      'agents/ok/functions.json': [entry('do', {}, { agent: true }), { description: 'nameless' }],
      'agents/bad/functions.json': '{}',
      'agents/bad/index.yaml': 'name: [unclosed\nversion: 3',
      'bin/ok': '#!/usr/bin/env node\n',
    })
    const { tools, problems, incomplete } = await read(root)
    expect(tools.map(tool => tool.name)).toEqual(['ok do'])
    expect(incomplete).toContain('functions.json: The JSON breaks off at line 1')
    expect(incomplete).toContain('agents/bad/functions.json: Found an empty object')
    const messages = problems.map(problem => problem.message).join('\n')
    for (const words of [
      'agents/ok/functions.json, entry 1',
      'agents/bad/index.yaml: line 2',
      'agents/ok/index.yaml: there is no such file',
    ])
      expect(messages).toContain(words)
  })

  test('lists a shared tool once, and says when two lists differ', async () => {
    const shared = entry('shared', { a: { type: 'string' } })
    const root = makeTree({
      'functions.json': [shared],
      'agents/one/functions.json': [shared, entry('only', {}, { mcp: 'm' })],
      'agents/two/functions.json': [entry('shared', { a: { type: 'integer' } })],
      'bin/shared': '#!/usr/bin/env node\n',
    })
    const { tools, problems, session } = await read(root)
    expect(tools.map(tool => tool.name)).toEqual(['shared', 'only'])
    expect(session.agents?.list().map(agent => agent.sharedTools)).toEqual([['shared', 'only'], ['shared']])
    expect(problems.filter(problem => problem.name === 'shared')).toEqual([
      { name: 'shared', message: 'Two functions.json say different things of it.', hint: expect.any(String) },
    ])
  })

  test('keeps hostile names as they are, and ignores marks of its own in functions.json', async () => {
    const root = makeTree({
      'functions.json': `[{"name":"__proto__","description":"d","parameters":{}},{"name":"../x","parameters":{},"confirm":false,"unbuilt":true,"agentName":"a"}]`,
    })
    const { tools } = await read(root)
    expect(tools.map(tool => [tool.name, tool.extra])).toEqual([
      ['__proto__', undefined],
      ['../x', undefined],
    ])
  })

  test('reads thousands of tools within seconds', async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `tool_${index}`)
    const root = makeTree({
      'functions.json': names.map(name => entry(name)),
      'tools.txt': names.map(name => `${name}.js`).join('\n'),
    })
    const started = performance.now()
    expect((await read(root)).tools).toHaveLength(5_000)
    expect(performance.now() - started).toBeLessThan(limitNow(8_000))
  })
})

describe('functions tree that is not built', () => {
  test('may have Windows line ends', async () => {
    const root = makeTree({
      'tools/a.sh': '# @describe First.\r\n# @option --x! <INT> An x\r\n',
      'tools/b.py': 'def run(x: int):\r\n  """Second.\r\n\r\n  Args:\r\n    x: An x\r\n  """\r\n',
      'tools/c.js': javascript('Third.', ' * @property {integer} x - An x\n').replaceAll('\n', '\r\n'),
    })
    for (const { inputSchema } of (await read(root)).tools)
      expect(inputSchema).toMatchObject({
        properties: { x: { type: 'integer', description: 'An x' } },
        required: ['x'],
      })
  })

  test('is read from its sources in all three languages, and for agents', async () => {
    const root = makeTree({
      'tools/a.js': javascript('First.', ' * @property {string} x - An x\n'),
      'tools/b.py': 'def run(x: int):\n  """Second."""\n',
      'tools/c.sh': '# @describe Third.\n# @env KEY! A key\n# @option --x!\n',
      'tools/d.js': 'exports.run = () => 1\n',
      'tools/readme.md': '',
      'agents/todo/index.yaml': 'name: todo\n',
      'agents/todo/tools.sh': '# @cmd Add one\n# @option --what!\nadd() { :; }\n# @cmd\nhelper() { :; }\n',
      'agents/todo/tools.txt': 'a.js\n',
    })
    const { tools, problems, format, tool, session } = await read(root)
    expect(format).toBe('declared in source')
    expect(tools.map(each => [each.name, each.description, extraOf(each).unbuilt])).toEqual([
      ['a', 'First.', true],
      ['b', 'Second.', true],
      ['c', 'Third.', true],
      ['todo add', 'Add one', true],
    ])
    expect(extraOf(tool('c')).environment).toEqual([
      { name: 'KEY', required: true, description: 'A key', set: false },
    ])
    expect(session.agents?.list()).toMatchObject([{ ownTools: ['todo add'], sharedTools: ['a'] }])
    expect(problems.map(problem => problem.message)).toEqual([
      'The tree is not built: there is no functions.json at its root. The declarations of the sources are shown.',
      'It needs the environment variable KEY, which is not set.',
      expect.stringMatching(/^tools\/d\.js: The build finds no tool in it: it looks for a line/),
    ])
    expect(tool('todo add')).toMatchObject({ extra: { agent: true, agentName: 'todo' } })
    expect((await callAndWait(session, await toolNamed(session, 'a'), {})).ending).toMatchObject({
      reason: 'not-found',
    })
  })
})

describe('index.yaml of an agent', () => {
  test('is read leniently; mistakes are reported, and paths outside the folder are not read', async () => {
    const root = makeTree({
      'agents/a/index.yaml': `
name: a
version: 2
description: [no, text]
instructions: 5
variables: [{name: ok, default: 3}, {name: 'no=', default: x}, {description: nameless}, {name: __os__}]
conversation_starters: [one, 2]
documents: [../../secret, missing.txt, 'beds/*.md', link]
`,
      'agents/b/index.yaml': `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ninstructions: *d\n`,
      secret: '',
    })
    const { session, problems } = await read(root)
    const [first, second] = session.agents?.list() ?? []
    expect(first).toMatchObject({
      version: '2',
      instructions: '5',
      variables: [{ name: 'ok', default: '3' }, { name: '__os__' }],
      conversationStarters: ['one'],
      documents: [
        { path: '../../secret', kind: 'outside' },
        { path: 'missing.txt', kind: 'missing' },
        { path: 'beds/*.md', kind: 'pattern' },
        { path: 'link', kind: 'missing' },
      ],
    })
    expect(first).not.toHaveProperty('description')
    expect(problems.filter(problem => problem.name === 'a').map(problem => problem.message)).toEqual([
      'agents/a/index.yaml: "description" is not a text.',
      'agents/a/index.yaml: a variable has the name "no=".',
      'agents/a/index.yaml: a variable has no name.',
      'agents/a/index.yaml: the variable "__os__" is built in and cannot be declared.',
      'agents/a/index.yaml: an entry of "conversation_starters" is not a text.',
    ])
    expect(second?.problems.map(problem => problem.message).join()).toMatch(/alias/i)
  })
})

describe('.env of a functions tree', () => {
  test('is read line by line', () => {
    expect(
      parseDotenv('# note\nA=1\n export B = "two words" \nC=\'x\'y\nD=a=b#c\n=no\n2X=no\nE=\r\n'),
    ).toEqual({
      A: '1',
      B: 'two words',
      C: "'x'y",
      D: 'a=b#c',
      E: '',
    })
  })

  test('never overrides the environment, and is passed to the tool', async () => {
    const root = makeTree({
      '.env': 'ONE=file\nTWO=file\nEMPTY=file\n',
      'functions.json': [entry('it')],
      'bin/it':
        '#!/usr/bin/env node\nrequire("node:fs").writeFileSync(process.env.LLM_OUTPUT, [process.env.ONE, process.env.TWO, process.env.EMPTY].join())\n',
    })
    const session = await openTree(root, { TWO: 'set', EMPTY: '' })
    const tool = await toolNamed(session, 'it')
    expect((await callAndWait(session, tool, {})).ending.raw).toBe('file,set,')
    writeFileSync(join(root, '.env'), 'ONE=mended\n')
    expect((await callAndWait(session, tool, {})).ending.raw).toBe('mended,set,')
  })

  test('may contain any text, and gives only what is not set', () => {
    const root = makeTree({})
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.constantFrom('A', 'B'), fc.string()), (text, set) => {
        expect(withDotenv('/nowhere', set)).toBe(set)
        writeFileSync(join(root, '.env'), `${text}\nA=file\nC=file\n`)
        expect(withDotenv(root, set)).toMatchObject({ A: 'file', C: 'file', ...set })
      }),
    )
  })
})
