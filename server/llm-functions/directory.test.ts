/** Where the tools of a tree run: where the user started Toolscope, or where a configuration or the page says. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished } from 'vitest'
import { runToolscope } from '../../scripts/toolscope-program.ts'
import { Catalog } from '../catalog/catalog.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import { callAndWait, toolNamed } from '../sources/testkit.ts'
import { test } from '../testing/folder-test.ts'
import { functionsDirectory } from './functions-directory.ts'
import { entry, makeTree } from './testkit.ts'

const output = '"$LLM_OUTPUT"'

/** Tools in three languages that tell where they run, an agent's own one, and one that lists the folder. */
const makePlaceTree = () =>
  makeTree({
    'functions.json': ['by_shell', 'by_node', 'by_python', 'list_here'].map(name => entry(name)),
    'agents/guide/functions.json': [entry('where', {}, { agent: true })],
    'agents/guide/index.yaml': 'name: guide\ninstructions: You are in {{__cwd__}}\n',
    'bin/by_shell': `#!/usr/bin/env bash\nprintf '%s %s' "$(pwd)" "$PWD" > ${output}\n`,
    'bin/by_node':
      "#!/usr/bin/env node\nrequire('node:fs').writeFileSync(process.env.LLM_OUTPUT, process.cwd() + ' ' + process.env.PWD)\n",
    'bin/by_python':
      "#!/usr/bin/env python3\nimport os\nopen(os.environ['LLM_OUTPUT'], 'w').write(os.getcwd() + ' ' + os.environ['PWD'])\n",
    'bin/list_here': `#!/usr/bin/env bash\nls . > ${output}\n`,
    'bin/guide': `#!/usr/bin/env bash\nprintf '%s' "$(pwd)" > ${output}\n`,
  })

describe('tools of a functions tree', () => {
  test('run in the directory of the user in every language, and the agent gets the same directory', async ({
    folder,
  }) => {
    writeFileSync(join(folder, 'here.txt'), '')
    const root = makePlaceTree()
    const context = {
      directory: '/',
      callerDirectory: folder,
      environment: { ...process.env, PWD: folder },
    }
    const session = await functionsDirectory.open({ functions: root }, { name: 'tree' }, context)
    const answer = async (name: string) =>
      (await callAndWait(session, await toolNamed(session, name), {})).ending.raw
    for (const name of ['by_shell', 'by_node', 'by_python'])
      expect(await answer(name)).toBe(`${folder} ${folder}`)
    expect(await answer('list_here')).toContain('here.txt')
    expect(await answer('guide where')).toBe(folder)
    expect(session.agents?.environment()).toMatchObject({ __cwd__: folder })
    expect(session.directory).toBe(folder)
  })

  test('run in the same directory as with mcp-llm-functions', async ({ folder }) => {
    const root = makePlaceTree()
    const original = createRequire(import.meta.url).resolve('mcp-llm-functions')
    const client = new Client({ name: 'test', version: '1' })
    onTestFinished(() => client.close())
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [original, root], cwd: folder }),
    )
    const { content } = await client.callTool({ name: 'by_shell', arguments: {} })
    const run = await runToolscope(['call', 'by_shell', root], { directory: folder })
    expect(run.stdout.split(' ')[0]).toBe(folder)
    expect(content).toEqual([{ type: 'text', text: expect.stringMatching(new RegExp(`^${folder} `)) }])
  })

  test('run in "directory" of the configuration, relative to its file', async ({ folder }) => {
    mkdirSync(join(folder, 'below/deep'), { recursive: true })
    const root = makePlaceTree()
    const sources = { plain: { functions: root }, there: { functions: root, directory: 'below' } }
    writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
    const run = (source: string) =>
      runToolscope(['call', 'by_node', source, '--trust'], { directory: join(folder, 'below/deep') })
    expect((await run('there')).stdout).toBe(`${join(folder, 'below')} ${join(folder, 'below')}\n`)
    expect((await run('plain')).stdout).toContain(`${join(folder, 'below/deep')} `)
  })
})

describe('directory chosen on the page', () => {
  test('applies from the next call, overrides the configuration, and is given to the agent', async ({
    folder,
  }) => {
    mkdirSync(join(folder, 'configured'))
    mkdirSync(join(folder, 'chosen'))
    const catalog = new Catalog({ directory: folder, environment: process.env })
    onTestFinished(() => catalog.close())
    const entryOfConfig = { functions: makePlaceTree() }
    const opened = await catalog.sources.open(
      configuredSource(entryOfConfig, { name: 'tree' }, { directory: 'configured' }),
    )
    expect(opened.directory).toBe(join(folder, 'configured'))
    expect(catalog.sources.setDirectory('tree', 'chosen')).toMatchObject({
      directory: join(folder, 'chosen'),
    })
    const { session, tool } = catalog.callTarget('tree/by_shell')
    const { ending } = await callAndWait(session, tool, {})
    expect(ending.raw).toBe(`${join(folder, 'chosen')} ${join(folder, 'chosen')}`)
    expect(catalog.agents()[0]?.builtIn.__cwd__).toBe(join(folder, 'chosen'))
    // It holds when the source is started again, and an empty text takes it back.
    expect(await catalog.sources.restart('tree')).toMatchObject({ directory: join(folder, 'chosen') })
    expect(catalog.sources.setDirectory('tree', '')).toMatchObject({ directory: join(folder, 'configured') })
  })

  test('is refused when it does not exist', async ({ folder }) => {
    const catalog = new Catalog({ directory: folder, environment: process.env })
    onTestFinished(() => catalog.close())
    await catalog.sources.open(configuredSource({ functions: makePlaceTree() }, { name: 'tree' }, {}))
    expect(() => catalog.sources.setDirectory('tree', 'gone')).toThrow(
      `${join(folder, 'gone')} is not a directory`,
    )
  })

  test('is named by the failure of a call when it no longer exists', async ({ folder }) => {
    const gone = join(folder, 'gone')
    mkdirSync(gone)
    const context = { directory: '/', callerDirectory: gone, environment: process.env }
    const session = await functionsDirectory.open({ functions: makePlaceTree() }, { name: 'tree' }, context)
    const tool = await toolNamed(session, 'by_shell')
    rmSync(gone, { recursive: true })
    expect((await callAndWait(session, tool, {})).ending).toMatchObject({
      type: 'failure',
      reason: 'spawn',
      message: expect.stringContaining(`${gone} is not a directory`),
    })
  })
})
