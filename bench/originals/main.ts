/**
 * `npm run bench -- originals --data DIR [--json]`: compares Toolscope with the systems of the mission. DIR contains
 * their output (`fireargs/`, `llm-functions/`, `scripted-tool/`); npm packages are started if they are installed.
 * Prints a row for each comparison; exit code 1 if something is not equal, or nothing could be compared.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { isObject } from '../../core/json/json.ts'
import { scriptedParts, wirePrompt } from '../../core/prompt/prompt.ts'
import type { ManifestTool, Tool } from '../../core/tool/tool.ts'
import { type Ran, runOurs, type SeedTool, seedOf, type ToolAnswer } from '../../server/calls/seed.testkit.ts'
import {
  gardenAnswer,
  gardenTools,
  intended,
  intendedOfOriginals,
  scripts,
} from '../../server/calls/seed-scripts.testkit.ts'
import { readAgentSource, readToolSource } from '../../server/llm-functions/read-sources.ts'
import { callToEnd, toComparableList, withSource } from './original-sources.ts'
import { type Compare, type Row, RowBuilder } from './row.ts'

/* fireargs: a program that prints what fireargs printed plays its transcripts back to Toolscope. */

interface Transcript {
  readonly argv: readonly string[]
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

const player = (transcripts: string) => `#!/usr/bin/env node
import { readFileSync } from 'node:fs'
const said = JSON.parse(readFileSync(${JSON.stringify(transcripts)}, 'utf8'))
const argv = process.argv.slice(2)
const found = said.find(each => JSON.stringify(each.argv) === JSON.stringify(argv))
process.stdout.write(found?.stdout ?? '')
process.stderr.write(found?.stderr ?? \`error: unknown option '\${argv.at(-1)}'\\n\`)
process.exitCode = found?.exit ?? 1
`

/** Returns the last JSON document of an output, which may contain other text around it. */
function lastJson(stdout: string): unknown {
  const end = stdout.lastIndexOf('\n}') + 2
  for (const { index } of stdout.matchAll(/^[[{]/gm)) {
    try {
      return JSON.parse(stdout.slice(index, end))
    } catch {
      // The document begins further down.
    }
  }
  return undefined
}

const compareFireargs: Compare = async data => {
  const path = join(data, 'fireargs/transcripts.json')
  const [lists, calls] = [new RowBuilder(), new RowBuilder()]
  const missing = existsSync(path) ? undefined : 'no transcripts'
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-originals-'))
  try {
    const transcripts: Transcript[] = missing ? [] : JSON.parse(readFileSync(path, 'utf8'))
    const program = join(folder, 'player.mjs')
    writeFileSync(program, player(path))
    for (const { argv, exit, stdout } of transcripts) {
      const source = [process.execPath, program]
      const shown = argv.join(' ')
      if (argv.at(-1) === '--llms') {
        const wanted = exit === 0 ? toComparableList(listComparedTools(lastJson(stdout))) : 'failed'
        const ours = await withSource([...source, ...argv.slice(0, -1)], async (_session, tools) => {
          const own = tools.filter(tool => tool.extra?.documentation !== true && tool.name !== 'help')
          return toComparableList(own)
        }).catch(() => 'failed')
        lists.compare(shown, ours, wanted)
        continue
      }
      const at = argv.indexOf('--json')
      if (at < 0 || at === argv.length - 1) continue
      await withSource([...source, argv[0] ?? ''], async (session, tools) => {
        const tool = tools.find(each => each.name === argv.slice(1, at).join(' '))
        const solo = at === 1 ? tools.at(-1) : undefined
        if (tool === undefined && solo === undefined) return
        const end = await callToEnd(session, (tool ?? solo) as ManifestTool, argv[at + 1] ?? '')
        const content = end?.type === 'result' ? end.structuredContent : undefined
        calls.compare(
          shown,
          [end?.type, content],
          exit === 0 ? ['result', lastJson(stdout)] : ['failure', undefined],
        )
      }).catch((thrown: unknown) => calls.compare(shown, String(thrown), 'a source'))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    lists.finish(
      '--llms manifests',
      'names and input schemas of fireargs’ manifests, or that it fails',
      missing,
    ),
    calls.finish(
      '--json calls',
      'success, failure and the result of each call that fireargs answered',
      missing,
    ),
  ]
}

function listComparedTools(manifest: unknown): { name: string; inputSchema?: unknown }[] {
  const tools = isObject(manifest) && Array.isArray(manifest.tools) ? manifest.tools : []
  return tools.slice(1).filter(tool => tool.name !== 'help')
}

/* llm-functions: the lists of its tree, as its own build wrote them or its own scripts write them now. */

const builders: Readonly<Record<string, string>> = { js: process.execPath, py: 'python3' }

const compareFunctions: Compare = async data => {
  const [written, scripts] = [new RowBuilder(), new RowBuilder()]
  const original = join(data, 'llm-functions')
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-originals-'))
  let skipped = 0
  try {
    if (existsSync(original)) cpSync(original, folder, { recursive: true, dereference: true })
    const sources = [
      ...filesIn(join(folder, 'tools')).map(file => `tools/${file}`),
      ...filesIn(join(folder, 'agents')).flatMap(agent =>
        ['sh', 'js', 'py'].map(end => `agents/${agent}/tools.${end}`),
      ),
    ].filter(path => existsSync(join(folder, path)))
    for (const path of sources) {
      const builder = builders[path.split('.').at(-1) ?? '']
      const list = readDeclarations(folder, path)
      if (builder === undefined) skipped += 1
      else if (list !== null) scripts.compare(path, list, runBuilder(folder, path, builder))
    }
    for (const path of [
      'functions.json',
      ...filesIn(join(folder, 'agents')).map(agent => `agents/${agent}/functions.json`),
    ])
      if (existsSync(join(folder, path))) compareList(folder, path, written)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    written.finish(
      'built lists',
      'each entry of the lists that a real build wrote',
      existsSync(join(original, 'functions.json')) ? undefined : 'the data has no functions.json',
    ),
    scripts.finish(
      'declarations from source',
      'what the tree’s own scripts write for JavaScript and Python',
      skipped === 0 ? undefined : `${skipped} shell sources need argc; see the built lists`,
    ),
  ]
}

const filesIn = (path: string) => (existsSync(path) ? readdirSync(path).sort() : [])

/** Returns our list of a source; null if another source of the agent has priority. */
function readDeclarations(root: string, path: string): unknown[] | null {
  const [, name = ''] = path.split('/')
  const source = path.startsWith('tools/')
    ? readToolSource(root, name.replace(/\.\w+$/, ''))
    : readAgentSource(root, name)
  if (source === null || source.path !== path) return null
  return source.declarations.map(({ name: tool, description, inputSchema }) => ({
    name: tool,
    description,
    parameters: inputSchema,
  }))
}

function runBuilder(root: string, path: string, program: string): unknown {
  const script = `scripts/build-declarations.${path.split('.').at(-1)}`
  const { status, stdout, stderr } = spawnSync(program, [script, path], { cwd: root, encoding: 'utf8' })
  return status === 0 ? JSON.parse(stdout) : stderr
}

function compareList(root: string, path: string, row: RowBuilder): void {
  const list: { name: string; agent?: boolean }[] = JSON.parse(readFileSync(join(root, path), 'utf8'))
  const agent = path.split('/')[1] ?? ''
  for (const entry of list) {
    const source = entry.agent === true ? readAgentSource(root, agent) : readToolSource(root, entry.name)
    const found = source?.declarations.find(({ name }) => name === entry.name)
    const { name, description, inputSchema } = found ?? {}
    const ours = {
      name,
      description,
      parameters: inputSchema,
      ...(entry.agent === true ? { agent: true } : {}),
    }
    row.compare(`${path} ${entry.name}`, ours, entry)
  }
}

/* ScriptedTool: the scripts whose output was kept, and those that its package runs now. */

const compareScripts: Compare = async data => {
  const [kept, prompts, live] = [new RowBuilder(), new RowBuilder(), new RowBuilder()]
  const folder = join(data, 'scripted-tool')
  const hasGolden = existsSync(join(folder, 'golden.json'))
  if (hasGolden) {
    const { defs, impl }: { defs: SeedTool[]; impl: ToolAnswer } = await import(
      pathToFileURL(join(folder, 'defs.mjs')).href
    )
    const golden: (Ran & { s: string })[] = JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8'))
    for (const { s, ...expected } of golden)
      if (Object.hasOwn(intendedOfOriginals, s)) kept.expectDifference()
      else kept.compare(s, await runOurs(defs, impl, s), expected)
    prompts.compare('prompt', buildPrompt(defs), readFileSync(join(folder, 'prompt.txt'), 'utf8'))
  }
  const seed = await seedOf(gardenTools, gardenAnswer)
  for (const script of seed === null ? [] : scripts) {
    if (Object.hasOwn(intended, script)) {
      live.expectDifference()
      continue
    }
    const ran = await seed?.execute(script)
    const theirs = { stdout: ran?.stdout, stderr: ran?.stderr, exit: ran?.exitCode }
    live.compare(script, await runOurs(gardenTools, gardenAnswer, script), theirs)
  }
  if (seed !== null) prompts.compare('prompt of our tools', buildPrompt(gardenTools), seed.systemPrompt())
  return [
    kept.finish('help and scripts', 'stdout, stderr and exit code', hasGolden ? undefined : 'no golden.json'),
    live.finish(
      'scripts in both shells',
      'stdout, stderr and exit code compared with bashkit’s ScriptedTool',
      seed === null ? 'bashkit is not installed' : undefined,
    ),
    prompts.finish('system prompt', 'the whole text'),
  ]
}

const buildPrompt = (tools: readonly SeedTool[]) =>
  wirePrompt(
    scriptedParts(
      tools.map((tool, index): Tool => ({ ...tool, ref: tool.name, source: 'st', index, callable: true })),
      { compact: false, set: 'st', files: false },
    ),
  )

/* incur's programs: compares their own command line with Toolscope's lists and answers. */

// `npm test` installs it there (scripts/incur-fixture.mjs).
const folder = resolve('node_modules/.cache/toolscope-incur')
const program = `${folder}/incur-program.mjs`
const itself = `${folder}/node_modules/incur/dist/cli/index.js`

/** A tool, an input, and the same input as words. */
const calls: readonly (readonly [name: string, input: object, words: readonly string[]])[] = [
  ['api greet', { name: 'Ada', loud: true }, ['api', 'greet', 'Ada', '--loud']],
  [
    'api greet',
    { name: 'Ada', version: '-1', tag: ['a', '-b'] },
    ['api', 'greet', 'Ada', '--version=-1', '--tag=a', '--tag=-b'],
  ],
  ['join', { words: ['a', 'b c'] }, ['join', 'a', 'b c']],
  ['refuse', {}, ['refuse']],
]

const compareIncur: Compare = async () => {
  const row = new RowBuilder()
  const isInstalled = existsSync(itself)
  if (isInstalled) {
    for (const file of [program, itself])
      await withSource([process.execPath, file], async (_session, tools) => {
        const { commands } = runForJson(file, ['--llms-full']) as { commands: { name: string }[] }
        const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort()
        row.compare(`the list of ${file}`, names(tools), names(commands))
      })
    await withSource([process.execPath, program], async (session, tools) => {
      for (const [name, input, words] of calls) {
        const tool = tools.find(each => each.name === name)
        const ending = tool && (await callToEnd(session, tool, JSON.stringify(input)))
        const theirs = runForJson(program, words)
        if (ending?.type === 'failure') {
          const { code, message } = theirs as { code?: string; message?: string }
          row.compare(words.join(' '), ending.message, `${code}: ${message}`)
        } else
          row.compare(
            words.join(' '),
            ending?.type === 'result' ? ending.structuredContent : undefined,
            theirs,
          )
      }
    })
  }
  const missing = isInstalled ? undefined : 'not installed: npm test does that'
  return [row.finish('incur', 'lists and calls on its own command line', missing)]
}

function runForJson(file: string, words: readonly string[]): unknown {
  return JSON.parse(
    spawnSync(process.execPath, [file, ...words, '--format', 'json'], { encoding: 'utf8' }).stdout,
  )
}

/* Programs of npm: compares the lists of their own client with Toolscope's. */

const modules = (path: string) => resolve('node_modules', path)

const servers: Readonly<Record<string, readonly string[]>> = {
  'mcp-llm-functions': [modules('mcp-llm-functions/index.js'), resolve('examples/functions')],
  'server-everything': [modules('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  'server-memory': [modules('@modelcontextprotocol/server-memory/dist/index.js')],
  'server-filesystem': [
    modules('@modelcontextprotocol/server-filesystem/dist/index.js'),
    resolve('examples'),
  ],
}

const comparePackages: Compare = async () => {
  const rows: Row[] = []
  for (const [name, words] of Object.entries(servers)) {
    const row = new RowBuilder()
    const isInstalled = existsSync(words[0] ?? '')
    if (isInstalled) {
      const theirs = await listByClient(words)
      const ours = await withSource(['mcp:', process.execPath, ...words], async (_session, tools) =>
        toComparableList(tools),
      )
      for (const [index, tool] of theirs.entries()) row.compare(tool.name, ours[index], tool)
      row.compare('number of tools', ours.length, theirs.length)
    }
    rows.push(row.finish(name, 'its list by the SDK’s own client', isInstalled ? undefined : 'not installed'))
  }
  return rows
}

async function listByClient(words: readonly string[]) {
  // A server may list other tools to a client without elicitation.
  const capabilities = { elicitation: { form: {}, url: {} } }
  const client = new Client({ name: 'originals', version: '0' }, { capabilities })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...words], stderr: 'ignore' }),
  )
  try {
    return toComparableList((await client.listTools()).tools)
  } finally {
    await client.close()
  }
}

const { values } = parseArgs({
  options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
})
if (values.data === undefined) {
  console.error('Name the folder of what the originals print: npm run bench -- originals --data DIR')
  process.exit(2)
}
const data = resolve(values.data)
const rows: Row[] = []
for (const compare of [compareFireargs, compareFunctions, compareScripts, compareIncur, comparePackages])
  rows.push(...(await compare(data)))
const isEqual = rows.every(({ different }) => different.length === 0)
const compared = rows.reduce((sum, { count }) => sum + count, 0)
if (values.json) console.log(JSON.stringify({ isEqual, compared, rows }, null, 2))
else {
  console.table(
    rows.map(({ row, count, different, intended = 0, missing = '' }) => ({
      row,
      compared: count,
      equal: count - different.length - intended,
      intended,
      different: different.length,
      missing,
    })),
  )
  for (const { row, different } of rows)
    for (const line of different) console.log(`NOT EQUAL  ${row}: ${line}`)
}
process.exit(isEqual && compared > 0 ? 0 : 1)
