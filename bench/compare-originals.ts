/**
 * `npm run bench -- originals --data DIR [--json]`: compares Toolscope with the systems of the mission. DIR contains
 * their output (`fireargs/`, `llm-functions/`, `scripted-tool/`); npm packages are started if they are installed.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { withSortedKeys } from '../core/json/equality.ts'
import { isObject } from '../core/json/json.ts'
import { readJson } from '../core/json/json-text.ts'
import { scriptedParts, wirePrompt } from '../core/prompt/prompt.ts'
import { nameToolCommands } from '../core/prompt/tool-commands.ts'
import type { SessionEvent } from '../core/tool/invocation.ts'
import type { ManifestTool } from '../core/tool/tool.ts'
import { type Ran, runOurs, type SeedTool, seedOf, type ToolAnswer } from '../server/calls/seed.testkit.ts'
import {
  gardenAnswer,
  gardenTools,
  intended,
  intendedOfOriginals,
  scripts,
} from '../server/calls/seed-scripts.testkit.ts'
import { readAgentSource, readToolSource } from '../server/llm-functions/read-sources.ts'
import { detectSource } from '../server/recognise/detect-source.ts'
import type { Session } from '../server/sources/source.ts'
import { printReport, readOptions } from './harness.mjs'

type Compare = (data: string) => Promise<readonly Row[]>

/** A row of the report: what was compared with an original, and the differences, a line each. */
class Row {
  count = 0
  /** Differences that are listed with their reason in docs/. */
  intended = 0
  readonly different: string[] = []
  /** Why nothing, or not everything, could be compared. */
  missing = ''
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  compare(what: string, ours: unknown, original: unknown): void {
    this.count += 1
    const [one, other] = [JSON.stringify(ours), JSON.stringify(original)]
    if (one !== other) this.different.push(`${what}\n    original ${other}\n    ours     ${one}`)
  }

  expectDifference(): void {
    this.count += 1
    this.intended += 1
  }
}

const neverAborted = () => new AbortController().signal

/** Opens a source, passes it on and closes it. Starts the program or server that the words name. */
async function withSource<Result>(
  argument: readonly string[],
  use: (session: Session, tools: readonly ManifestTool[]) => Promise<Result>,
): Promise<Result> {
  const context = { directory: process.cwd(), environment: process.env }
  const session = await (await detectSource(argument, context)).open(context)
  try {
    return await use(session, (await session.manifest(neverAborted())).tools)
  } finally {
    await session.close()
  }
}

/** Returns how a call ended. */
async function callToEnd(session: Session, tool: ManifestTool, text: string) {
  let last: SessionEvent | undefined
  const reading = readJson(text)
  const input = { text, value: reading.ok ? reading.value : undefined }
  const options = { signal: neverAborted(), timeoutMs: 30_000 }
  for await (const event of session.call?.(tool, input, options) ?? []) last = event
  return last
}

/** Returns names and input schemas, which every list has. */
const toComparableList = (tools: readonly { readonly name: string; readonly inputSchema?: unknown }[]) =>
  tools.map(({ name, inputSchema }) => withSortedKeys({ name, inputSchema }))

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-originals-'))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/* fireargs: a program that prints what fireargs printed plays its transcripts back to Toolscope. */

type Transcript = { readonly argv: readonly string[]; readonly exit: number; readonly stdout: string }

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
  const lists = new Row('names and input schemas of fireargs’ --llms manifests, or that it fails')
  const calls = new Row('success, failure and result of each --json call that fireargs answered')
  if (!existsSync(path)) {
    lists.missing = calls.missing = 'no transcripts'
    return [lists, calls]
  }
  await withFolder(async folder => {
    const transcripts: Transcript[] = JSON.parse(readFileSync(path, 'utf8'))
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
        const theirs = exit === 0 ? ['result', lastJson(stdout)] : ['failure', undefined]
        calls.compare(shown, [end?.type, content], theirs)
      }).catch((thrown: unknown) => calls.compare(shown, String(thrown), 'a source'))
    }
  })
  return [lists, calls]
}

function listComparedTools(manifest: unknown): { name: string; inputSchema?: unknown }[] {
  const tools = isObject(manifest) && Array.isArray(manifest.tools) ? manifest.tools : []
  return tools.slice(1).filter(tool => tool.name !== 'help')
}

/* llm-functions: the lists of its tree, as its own build wrote them or its own scripts write them now. */

const builders: Readonly<Record<string, string>> = { js: process.execPath, py: 'python3' }

const compareFunctions: Compare = async data => {
  const written = new Row('each entry of the lists that a real build of llm-functions wrote')
  const scripts = new Row('what its own scripts write for JavaScript and Python')
  const original = join(data, 'llm-functions')
  let skipped = 0
  await withFolder(async folder => {
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
  })
  if (!existsSync(join(original, 'functions.json'))) written.missing = 'the data has no functions.json'
  if (skipped > 0) scripts.missing = `${skipped} shell sources need argc; see the built lists`
  return [written, scripts]
}

const filesIn = (path: string) => (existsSync(path) ? readdirSync(path).sort() : [])

/** Returns our list of a source; null if another source of the agent has priority. */
function readDeclarations(root: string, path: string): unknown[] | null {
  const [, name = ''] = path.split('/')
  const source = path.startsWith('tools/')
    ? readToolSource(root, name.replace(/\.\w+$/, ''))
    : readAgentSource(root, name)
  if (source === null || source.path !== path) return null
  return source.declarations.map(toEntry)
}

const toEntry = ({ name, description, inputSchema }: Partial<ManifestTool>) => ({
  name,
  description,
  parameters: inputSchema,
})

function runBuilder(root: string, path: string, program: string): unknown {
  const script = `scripts/build-declarations.${path.split('.').at(-1)}`
  const { status, stdout, stderr } = spawnSync(program, [script, path], { cwd: root, encoding: 'utf8' })
  return status === 0 ? JSON.parse(stdout) : stderr
}

function compareList(root: string, path: string, row: Row): void {
  const list: { name: string; agent?: boolean }[] = JSON.parse(readFileSync(join(root, path), 'utf8'))
  const agent = path.split('/')[1] ?? ''
  for (const entry of list) {
    const source = entry.agent === true ? readAgentSource(root, agent) : readToolSource(root, entry.name)
    const found = source?.declarations.find(({ name }) => name === entry.name)
    const ours = { ...toEntry(found ?? {}), ...(entry.agent === true ? { agent: true } : {}) }
    row.compare(`${path} ${entry.name}`, ours, entry)
  }
}

/* ScriptedTool: the scripts whose output was kept, and those that its package runs now. */

const compareScripts: Compare = async data => {
  const kept = new Row('ScriptedTool’s help and scripts: stdout, stderr and exit code')
  const live = new Row('the same for scripts in both shells, run by bashkit now')
  const prompts = new Row('ScriptedTool’s whole system prompt')
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
  if (!hasGolden) kept.missing = 'no golden.json'
  if (seed === null) live.missing = 'bashkit is not installed'
  return [kept, live, prompts]
}

function buildPrompt(seeds: readonly SeedTool[]) {
  const tools = seeds.map((tool, index) => ({ ...tool, ref: tool.name, source: 'st', index, callable: true }))
  return wirePrompt(
    scriptedParts(nameToolCommands(tools).entries, { compact: false, set: 'st', files: false }),
  )
}

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
  const row = new Row('incur: lists and calls on its own command line')
  if (!existsSync(itself)) row.missing = 'not installed: npm test does that'
  else {
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
        } else {
          const content = ending?.type === 'result' ? ending.structuredContent : undefined
          row.compare(words.join(' '), content, theirs)
        }
      }
    })
  }
  return [row]
}

function runForJson(file: string, words: readonly string[]): unknown {
  const { stdout } = spawnSync(process.execPath, [file, ...words, '--format', 'json'], { encoding: 'utf8' })
  return JSON.parse(stdout)
}

/** Programs of npm: the lists of their own client are compared with Toolscope's. */
const servers: Readonly<Record<string, readonly string[]>> = {
  'mcp-llm-functions/index.js': [resolve('examples/functions')],
  '@modelcontextprotocol/server-everything/dist/index.js': ['stdio'],
  '@modelcontextprotocol/server-memory/dist/index.js': [],
  '@modelcontextprotocol/server-filesystem/dist/index.js': [resolve('examples')],
}

const comparePackages: Compare = async () => {
  const rows: Row[] = []
  for (const [path, args] of Object.entries(servers)) {
    const row = new Row(`${path}: its list by the SDK’s own client`)
    const words = [resolve('node_modules', path), ...args]
    if (!existsSync(words[0] ?? '')) row.missing = 'not installed'
    else {
      const theirs = await listByClient(words)
      const ours = await withSource(['mcp:', process.execPath, ...words], async (_session, tools) =>
        toComparableList(tools),
      )
      for (const [index, tool] of theirs.entries()) row.compare(tool.name, ours[index], tool)
      row.compare('number of tools', ours.length, theirs.length)
    }
    rows.push(row)
  }
  return rows
}

async function listByClient(words: readonly string[]) {
  // The capabilities that Toolscope declares, because a server may list more tools for them.
  const requests = { elicitation: { create: {} }, sampling: { createMessage: {} } }
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {}, tasks: { requests } }
  const client = new Client({ name: 'originals', version: '0' }, { capabilities })
  const server = { command: process.execPath, args: [...words], stderr: 'ignore' as const }
  await client.connect(new StdioClientTransport(server))
  try {
    return toComparableList((await client.listTools()).tools)
  } finally {
    await client.close()
  }
}

const options = readOptions({ data: null, json: false })
const data = resolve(options.data)
const rows: Row[] = []
for (const compare of [compareFireargs, compareFunctions, compareScripts, compareIncur, comparePackages])
  rows.push(...(await compare(data)))
const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0)
printReport({
  json: options.json,
  tables: {
    originals: rows.map(({ name, count, intended, different, missing }) => ({
      row: name,
      compared: count,
      equal: count - different.length - intended,
      intended,
      different: different.length,
      missing,
    })),
  },
  bars: [
    { name: 'compared', value: sum(({ count }) => count), min: 1 },
    { name: 'not equal', value: sum(({ different }) => different.length), max: 0 },
  ],
  details: rows,
})
for (const { name, different } of rows)
  for (const line of different) console.error(`NOT EQUAL  ${name}: ${line}`)
process.exit()
