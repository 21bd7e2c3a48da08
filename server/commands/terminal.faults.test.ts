import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { promptFormats } from '../../core/prompt/prompt-formats.ts'
import { diffFormats } from '../../core/report/diff-render.ts'
import { type RecordingLine, writeRecordingLine } from '../../core/wire/recording.ts'
import { project } from '../../scripts/project.mjs'
import { type Run, runToolscope } from '../../scripts/toolscope-program.ts'
import { commandNames } from './index.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const source = project('server/testing/hostile-source.mjs')
const owned = '\u001b[2Jx\u202e ::error::owned ##[error]owned'
const root = mkdtempSync(join(tmpdir(), 'toolscope-gate-'))
/** A path of the machine that is hostile too. */
const folder = join(root, `a\u001b[31m\u202e##[error]b\n::error::owned`)
const data = join(folder, 'data\u009b')
const recorded = 'session.toolrec'
const [before, after, strange] = ['before.json', 'after.json', `m\u001b\n::error::owned.json`]
const program = ['node', '--', source]
const server = ['mcp:node', '--', source, '--mcp']

const run = (args: readonly string[], input = ''): Promise<Run> =>
  runToolscope(args, { directory: folder, input, environment: { TOOLSCOPE_DATA_DIR: data } })

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  const manifest = (version: string) =>
    execFileSync(process.execPath, [source, '--llms'], { env: { ...process.env, HOSTILE_VERSION: version } })
  writeFileSync(join(folder, before), manifest('1'))
  writeFileSync(join(folder, strange), manifest('1'))
  writeFileSync(join(folder, after), manifest('2'))
  writeFileSync(join(folder, recorded), recordingLines().map(writeRecordingLine).join(''))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function recordingLines(): RecordingLine[] {
  const call = { jsonrpc: '2.0', id: owned, method: 'tools/call', params: { name: owned } }
  const message = { type: 'message', source: 0, atMs: 1, bytes: 1 } as const
  const http = { method: owned, url: `http://${owned}`, headers: { [owned]: owned } }
  return [
    { type: 'header', toolrec: 1, startedAt: '2026-11-24T10:00:00.000Z', by: owned, version: owned },
    { type: 'source', source: 0, name: owned, label: owned, kind: owned, transport: 'http', protocol: owned },
    { ...message, seq: 1, direction: 'sent', part: 'request', exchange: 1, http, text: JSON.stringify(call) },
    { ...message, seq: 2, direction: 'received', part: 'response', exchange: 1, http, text: owned },
  ]
}

/** Characters that a terminal or a CI log must not receive. */
function faultsOf(text: string, name: string): string[] {
  const faults = [
    ...(text.match(/(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu) ?? []).map(
      sign => `U+${(sign.codePointAt(0) ?? 0).toString(16)}`,
    ),
    ...(text.match(/##\w*\[/g) ?? []),
    // A web page has lines of its own.
    ...((!name.endsWith('html') && text.match(/^\s*RAWLINE.*/gm)) || []),
    ...(text.match(/^\s*::.*/gm) ?? []).filter(
      line => !name.endsWith('github') || !/^::(?:error|warning|notice) title=/.test(line),
    ),
  ]
  return [...new Set(faults)].slice(0, 10)
}

const rows: readonly (readonly [name: string, args: readonly string[], input?: string])[] = [
  ['list of a program', ['list', ...program]],
  ['list --json', ['list', '--json', JSON.stringify({ sources: [['node', source]] })]],
  ['list of an MCP server', ['list', ...server]],
  ['list --health of an MCP server', ['list', '--health', ...server]],
  ['list of a file', ['list', strange]],
  ['list of what is not there', ['list', owned]],
  ['help of all', ['help', '--list', ...program]],
  ['help of a tool', ['help', 'good', ...program]],
  ['help of a tool with a hostile name', ['help', 'name', ...server]],
  ['help of a tool that is not there', ['help', owned, ...program]],
  ['discover', ['discover', '--search', 'o', ...program]],
  ['discover --categories', ['discover', '--categories', ...program]],
  ...promptFormats.flatMap(format => [
    [`prompt as ${format}`, ['prompt', '--format', format, ...program]] as const,
    [`prompt as ${format}, compact`, ['prompt', '--compact', '--format', format, ...program]] as const,
  ]),
  ['connect', ['connect', 'codex', ...server]],
  ['connect through Toolscope', ['connect', 'vscode', strange, '--via', 'toolscope']],
  ['completion of what is hostile', ['completion', owned]],
  ['doctor', ['doctor']],
  ['people of a hostile name', ['people', 'add', owned]],
  ['people of a hostile source', ['people', 'add', 'ada', '--sources', owned]],
  ['people list', ['people', 'list']],
  ['people audit', ['people', 'audit']],
  ['pin', ['pin', ...program]],
  ['pin --check', ['pin', '--check', ...server]],
  ['pin --check of a program', ['pin', '--check', ...program]],
  ['pin --check of an MCP server', ['pin', '--check', ...server]],
  ['lint', ['lint', ...program]],
  ['lint as JSON', ['lint', '--format', 'json', ...program]],
  ...diffFormats.map(format => [`diff as ${format}`, ['diff', '--format', format, before, after]] as const),
  ...['text', 'json', 'markdown', 'html'].map(
    format => [`changelog as ${format}`, ['changelog', '--format', format, before, after]] as const,
  ),
  ['diff of what is not there', ['diff', owned, 'git:HEAD:x\u001b']],
  ['diff of hostile paths', ['diff', strange, after]],
  ['snapshot', ['snapshot', ...program]],
  ['snapshot of an MCP server', ['snapshot', ...server]],
  ['list --snapshots', ['list', '--snapshots']],
  ['snapshot --export', ['snapshot', '--export', `out\u001b.jsonl`]],
  ['call that fails', ['call', 'bad', ...program]],
  ['call that answers, what is said of it', ['call', 'good', '--input', `{"choice":"\\u001b"}`, ...program]],
  ['call of an MCP server', ['call', 'bad', ...server]],
  ['call --json', ['call', '--json', JSON.stringify({ tool: 'good', sources: [['node', source]] })]],
  ['call of what is not there', ['call', owned, ...program]],
  ['call with input that is not valid JSON', ['call', 'good', '--input', `{${owned}`, ...program]],
  ['script that fails', ['script', '-', ...program], 'bad; good --nope; nope\u001b[2J'],
  ['script --trace', ['script', '-', '--trace', '-', ...program], 'bad'],
  ['recording', ['recording', recorded]],
  ['recording --as har', ['recording', recorded, '--as', 'har']],
  ['recording --as otlp', ['recording', recorded, '--as', 'otlp']],
  ['history', ['history']],
  ['history --jsonl', ['history', '--jsonl']],
  ['history --json', ['history', '--json']],
  ...['text', 'json', 'junit', 'markdown', 'html'].map(
    format => [`check as ${format}`, ['check', '--format', format, ...program]] as const,
  ),
  ...['text', 'json', 'junit', 'github', 'markdown', 'html', 'sarif'].map(format => {
    const all = ['--all', '--yes', '--allow-destructive', '--max-calls', '20', '--timeout', '5s']
    return [
      `check --generate as ${format}`,
      ['check', '--generate', ...all, '--format', format, ...server],
    ] as const
  }),
  ...['text', 'json', 'junit', 'github'].map(format => {
    const both = [`node ${source}`, `mcp:node ${source} --mcp`]
    return [
      `compare as ${format}`,
      ['compare', '--format', format, '--history', '9', '--allow-writes', '--allow-destructive', ...both],
    ] as const
  }),
  ['compare of what is not there', ['compare', owned, strange]],
  ['export', ['export', '--out', `site\u001b`, before]],
  ['trust --list', ['trust', '--list']],
  ['token of what is not there', ['token', owned]],
  ['skill --install into a hostile folder', ['skill', '--install', owned]],
  ['an option that is not there', ['list', `--${owned}`]],
  ['a command that is not there', [owned, owned]],
  ['mcp of what is not there', ['mcp', owned]],
  ['mock of what is not there', ['mock', owned]],
  ['replay of what is not there', ['replay', owned]],
  ['bridge of what is not there', ['bridge', owned]],
  // What the server writes is passed on as it is.
  ['tap into a file with a hostile name', ['tap', '-o', `tap\u001b.toolrec`, '--', 'node', '-e', '0']],
  ['tap of what is not there', ['tap', '-o', 'none.toolrec', '--', owned]],
  [
    'record of what is not there',
    ['record', '--no-open', '-o', `rec\u001b.toolrec`, '--host', owned, strange],
  ],
  ['serve of what is not there', ['serve', '--no-open', '--host', owned, strange]],
]

const tried = rows.map(([name, args, input = '']) => ({ name, args, input }))

describe('terminal output', () => {
  test.each(tried)('has no control characters and no CI commands: $name', async ({ name, args, input }) => {
    const { stdout, stderr } = await run(args, input)
    expect(stdout + stderr).not.toBe('')
    expect(faultsOf(stderr, name)).toEqual([])
    // An answer of a tool goes into a pipe as it is.
    if (!/^call that answers|^call of an MCP|^script that/.test(name))
      expect(faultsOf(stdout, name)).toEqual([])
  })

  test('is tested for every command', () => {
    const names = new Set(tried.map(({ args: [name] }) => name))
    expect(commandNames.filter(name => !names.has(name))).toEqual([])
  })

  test('passes the answer of a tool to a pipe byte for byte', async () => {
    const { stdout } = await run(['call', 'good', ...program])
    expect(stdout).toContain('\u009b31m')
  })
})
