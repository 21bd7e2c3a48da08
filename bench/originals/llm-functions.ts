/** llm-functions: the lists of its tree, as its own build wrote them or its own scripts write them now. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAgentSource, readToolSource } from '../../server/llm-functions/read-sources.ts'
import { type Compare, RowBuilder } from './row.ts'

const builders: Readonly<Record<string, string>> = { js: process.execPath, py: 'python3' }

export const compareFunctions: Compare = async data => {
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
      const list = entriesOf(folder, path)
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

/** Our list of a source; null where another source of the agent goes before it. */
function entriesOf(root: string, path: string): unknown[] | null {
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
