import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CommandContext } from './command.ts'
import { openForHelp, wordAndSources } from './help-target.ts'

const manifest = (...names: readonly string[]) =>
  JSON.stringify({ tools: names.map(name => ({ name, inputSchema: { type: 'object' } })) })

/** A folder with two manifests, and what was said while a command ran there. */
function folder(
  files: Record<string, string> = { 'm.json': manifest('api greet', 'status'), 'n.json': manifest('status') },
) {
  const directory = mkdtempSync(join(tmpdir(), 'toolscope-help-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const said: string[] = []
  const context: CommandContext = {
    directory,
    environment: { PATH: '' },
    say: line => void said.push(line),
    write: () => {},
    readStdin: async () => '',
    signal: new AbortController().signal,
  }
  const open = (word: string | undefined, ...sources: string[]) =>
    openForHelp(word, { sources }, context, ['serve'])
  return { open, said }
}
const commands = ({ entries }: { entries: readonly { command: string }[] }) =>
  entries.map(({ command }) => command)

describe('wordAndSources', () => {
  const ask = (tool: string | undefined, sources: (string | string[])[] = [], list = false) =>
    wordAndSources({ tool, sources, list })

  it('returns a tool and its sources', () => {
    expect(ask('greet', ['m.json'])).toEqual({ word: 'greet', sources: ['m.json'] })
    expect(ask(undefined)).toEqual({ sources: [] })
  })

  it('returns only sources with --list', () => {
    expect(ask('m.json', ['n.json'], true)).toEqual({ sources: ['m.json', 'n.json'] })
  })

  it('joins a program and the words after -- when they can belong to nothing else', () => {
    const rest = [['mcp:acme.mjs', 'api']]
    expect(ask('node', rest)).toEqual({ sources: [['node', 'acme.mjs', 'api']] })
    expect(ask('./acme', rest)).toEqual({ sources: [['./acme', 'acme.mjs', 'api']] })
    expect(ask('acme', rest, true)).toEqual({ sources: [['acme', 'acme.mjs', 'api']] })
    expect(ask('greet', rest)).toEqual({ word: 'greet', sources: rest })
  })
})

describe('openForHelp', () => {
  it('finds a tool by command, by name and by reference', async () => {
    const { open } = folder()
    for (const word of ['api_greet', 'api greet', 'm/api greet'])
      expect((await open(word, 'm.json')).entry?.command).toBe('api_greet')
  })

  it('lists the tools of a word that is a source and not a tool', async () => {
    const { open } = folder()
    expect(commands(await open('m.json'))).toEqual(['api_greet', 'status'])
    expect(commands(await open('n.json', 'm.json'))).toEqual(['n_status', 'api_greet', 'm_status'])
  })

  it('opens the sources of the configuration, and one of them by name', async () => {
    const sources = { m: { manifest: 'm.json' }, n: { manifest: 'n.json' } }
    const files = {
      'm.json': manifest('a'),
      'n.json': manifest('b'),
      'toolscope.json': JSON.stringify({ sources }),
    }
    const { open } = folder(files)
    expect((await open('b')).entry?.tool.ref).toBe('n/b')
    expect(commands(await open('n'))).toEqual(['b'])
    expect(commands(await open(undefined))).toEqual(['a', 'b'])
  })

  it('rejects an unknown word in the words of the seed system, with a similar name', async () => {
    const { open } = folder()
    await expect(open('nope', 'm.json')).rejects.toMatchObject({
      message: 'help: unknown tool: nope',
      exitCode: 2,
    })
    await expect(open('api_gret', 'm.json')).rejects.toMatchObject({ ownHint: 'Did you mean api_greet?' })
    await expect(open('srve')).rejects.toMatchObject({ ownHint: 'Did you mean serve?' })
  })

  it('names the commands of a tool name that two sources use', async () => {
    const { open } = folder()
    await expect(open('status', 'm.json', 'n.json')).rejects.toMatchObject({
      code: 'tool-ambiguous',
      detail: '"status" is m_status and n_status',
    })
  })

  it('says why a source has no tools', async () => {
    const { open, said } = folder({ 'm.json': '{"tools":' })
    await expect(open('status', 'm.json')).rejects.toMatchObject({ code: 'manifest-not-json' })
    expect(said.join('\n')).toContain('Couldn’t read the manifest: m: The JSON breaks off')
    await expect(open(undefined)).rejects.toMatchObject({ code: 'usage' })
    expect(await open('gone.json')).toEqual({ entries: [], incomplete: true })
    expect(said.join('\n')).toContain('No such file or program: gone.json')
  })
})
