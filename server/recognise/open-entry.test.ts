import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { SourceEntry } from '../../core/api/source-entry.ts'
import { test } from '../testing/folder-test.ts'
import { detectSource, detectSources } from './detect-source.ts'
import { entrySource } from './open-entry.ts'
import { recogniseText } from './recognise.ts'

const context = (directory: string) => ({ directory, environment: { PATH: process.env.PATH } })

describe('entrySource', () => {
  test('takes the environment and the name from a pasted line', async ({ folder }) => {
    const line = 'claude mcp add memory -e PLACE=here -- node -y acme.mjs'
    const spec = await entrySource({ line, environment: { OTHER: '1' } }, undefined, context(folder))
    expect(spec.settings).toMatchObject({ name: 'memory', environment: { PLACE: 'here', OTHER: '1' } })
    expect(spec.origin).toMatchObject({
      entry: { line: 'node -y acme.mjs', environment: { PLACE: 'here', OTHER: '1' } },
    })
    const chosen = await entrySource({ line }, 'mine', context(folder))
    expect(chosen.settings.name).toBe('mine')
  })

  test('never makes a program or a file of an address', async ({ folder }) => {
    writeFileSync(join(folder, 'm.json'), '{"tools":[]}')
    for (const url of ['node -y acme.mjs', 'node', 'm.json', 'htp://localhost:9', 'not a url', 'mcp:node'])
      await expect(entrySource({ url }, undefined, context(folder)), url).rejects.toMatchObject({
        code: 'not-an-address',
      })
    for (const url of ['https://example.com/mcp', ' localhost:3000 ', 'mcp:https://example.com'])
      await expect(entrySource({ url }, undefined, context(folder)), url).resolves.toBeDefined()
  })
})

describe('argument of a source', () => {
  const readArgument = async (entry: SourceEntry, folder: string) =>
    (await entrySource(entry, 'mine', context(folder))).argument

  test('contains its environment with masked values', async ({ folder }) => {
    const environment = { PLACE: '/tmp/x', KEY: `\${env:MY_KEY}` }
    const written = await readArgument({ line: 'node acme.mjs', environment }, folder)
    expect(written).toBe(`PLACE=••• 'KEY=\${env:MY_KEY}' node acme.mjs`)
    await expect(detectSource(written ?? '', context(folder))).rejects.toThrow('PLACE=•••')
    const spec = await detectSource(written?.replace('•••', '/tmp/x') ?? '', context(folder))
    expect(spec.settings).toMatchObject({ name: 'acme', environment })
  })

  test('is a command line for an MCP server of a pasted text', async ({ folder }) => {
    const mcp = { command: ['npx', '-y', 'some server'], env: { KEY: 'x' } }
    const argument = await readArgument({ mcp }, folder)
    expect(argument).toBe(`KEY=••• mcp:npx -y 'some server'`)
    const spec = await detectSource(argument?.replace('•••', 'x') ?? '', context(folder))
    expect(spec).toMatchObject({ kind: 'mcp-server', settings: { environment: { KEY: 'x' } } })
  })

  test('has the headers of its address and its working directory next to it', async ({ folder }) => {
    mkdirSync(join(folder, 'there'))
    writeFileSync(join(folder, 'there', 'a.mjs'), '')
    const read = (entry: SourceEntry) => entrySource(entry, 'mine', context(folder))
    const [url, headers, directory] = ['http://127.0.0.1:9/mcp', { 'X-Key': 'k' }, join(folder, 'there')]
    for (const entry of [
      { url, headers },
      { line: url, headers },
    ])
      expect(await read(entry)).toMatchObject({ argument: url, argumentOptions: { headers } })
    expect(await read({ mcp: { url, headers } })).toMatchObject({
      argument: `mcp:${url}`,
      argumentOptions: { headers },
    })
    const command = ['node', 'a.mjs']
    for (const entry of [{ line: 'mcp:node a.mjs' }, { mcp: { command } }])
      expect(await read({ ...entry, directory: 'there' })).toMatchObject({
        argument: `mcp:node ${join(directory, 'a.mjs')}`,
        argumentOptions: { directory },
      })
    // The command line has no option for the data of a sign-in.
    expect(await read({ mcp: { url, signIn: { clientId: 'x' } } })).not.toHaveProperty('argument')
  })

  test('names one server of a file with several', async ({ folder }) => {
    const mcpServers = { db: { command: 'node', args: ['db.mjs'] }, files: { command: 'node' } }
    writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }))
    const specs = await detectSources('mcp.json', context(folder))
    // The argument is typed in any folder.
    const ids = ['db', 'files'].map(id => `${join(folder, 'mcp.json')}#${id}`)
    expect(specs.map(({ argument }) => argument)).toEqual(ids)
    const [again] = await detectSources('mcp.json#files', context(folder))
    expect(again?.definition).toBe(specs[1]?.definition)
  })
})

describe('argument of a source in another folder', () => {
  test('names files by absolute paths, and leaves other words', async ({ folder }) => {
    writeFileSync(join(folder, 'tools.mjs'), '')
    mkdirSync(join(folder, 'api'))
    const readArgument = async (...words: string[]) =>
      (await detectSources(words.length === 1 ? (words[0] ?? '') : words, context(folder)))[0]?.argument
    const tools = join(folder, 'tools.mjs')
    expect(await readArgument('tools.mjs')).toBe(tools)
    expect(await readArgument('./tools.mjs')).toBe(tools)
    // `api` may be a subcommand.
    expect(await readArgument('node tools.mjs api --file=x .')).toBe(`node ${tools} api --file=x ${folder}`)
    expect(await readArgument('mcp:node', 'tools.mjs')).toBe(`mcp:node ${tools}`)
    expect(await readArgument('http://127.0.0.1:9/tools.mjs')).toBe('http://127.0.0.1:9/tools.mjs')
  })
})

test('recogniseText: reads a pasted part of an mcp.json as if its braces were there', () => {
  const memory = '{"command": "npx", "args": ["-y", "some-server"]}'
  for (const text of [`"memory": ${memory}`, `\n "memory": ${memory},\n`])
    expect(recogniseText('', text).sources).toMatchObject([
      { name: 'memory', entry: { mcp: { command: ['npx', '-y', 'some-server'] } } },
    ])
  const both = `"mcpServers": {"memory": ${memory}, "other": ${memory}}`
  expect(recogniseText('', both).sources.map(({ name }) => name)).toEqual(['memory', 'other'])
})

test('recogniseText: rejects an incomplete mcp.json with the line, and one without servers', () => {
  expect(() => recogniseText('', '{"mcpServers":{')).toThrow('not valid JSON in line 1')
  // What the parser repairs is not offered.
  for (const cut of [
    '{"mcpServers": {"a": {"command": "true"',
    '{"command": "true", "args": ["x"',
    '"a": {"command": "true"',
  ])
    expect(() => recogniseText('', cut), cut).toThrow(/breaks off at (?:line 1, )?column \d+/)
  expect(() => recogniseText('', '{"mcpServers":{}}')).toThrow('contains no server')
})
