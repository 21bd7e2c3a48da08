import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { detectSource } from '../recognise/detect-source.ts'
import { test } from '../testing/folder-test.ts'
import { configWriter } from './save-source.ts'
import { Trust } from './trust.ts'

/** The entry that a line becomes in the file, where the source turned out to be of this kind. */
function savedEntry(line: string, kind: string, directory: string): unknown {
  const context = { environment: {}, say: () => {} }
  const trust = new Trust(null, context, false)
  const { after } = configWriter({ path: null, trust }, directory, context).preview({
    name: 'saved',
    entry: { line },
    kind,
    directory,
  })
  return JSON.parse(after).sources.saved
}

describe('saved entry in toolscope.json', () => {
  test.for([
    ['localhost.example.com/mcp', 'https://localhost.example.com/mcp'],
    ['LOCALHOST:3000', 'http://LOCALHOST:3000'],
    ['127.0.0.1:8808', 'http://127.0.0.1:8808'],
    ['127.example.com/mcp', 'https://127.example.com/mcp'],
    ['[::1]:3000/mcp', 'http://[::1]:3000/mcp'],
    ['https://example.com/mcp', 'https://example.com/mcp'],
  ] as const)('has the address that the line was opened at: %s', async ([line, url], { folder }) => {
    const { definition } = await detectSource(line, { directory: folder, environment: {} })
    expect(definition).toContain(`"${url}"`)
    expect(savedEntry(line, 'mcp-server', folder)).toEqual({ mcp: { url } })
    expect(savedEntry(line, 'bridge-url', folder)).toEqual({ bridge: url })
  })

  test.for(['localhost:3000/tools.json', 'https://example.com/tools.json'])(
    'is refused for a manifest at an address: %s',
    (line, { folder }) => {
      expect(() => savedEntry(line, 'manifest-file', folder)).toThrow('names no manifest at an address')
    },
  )

  test('names a file for a line that looks like an address but is a file', ({ folder }) => {
    mkdirSync(join(folder, 'build.old'))
    writeFileSync(join(folder, 'build.old/tools'), '{}')
    expect(savedEntry('build.old/tools', 'manifest-file', folder)).toEqual({ manifest: 'build.old/tools' })
    expect(savedEntry('build.old/tools', 'mcp-server', folder)).toEqual({
      mcp: { command: ['build.old/tools'] },
    })
  })

  test('names a recording, and the source in it', ({ folder }) => {
    const header = { type: 'header', toolrec: 1, startedAt: '2026-01-01T00:00:00Z', by: 'test', version: '1' }
    writeFileSync(join(folder, 'a.toolrec'), JSON.stringify(header))
    expect(savedEntry('a.toolrec', 'recording', folder)).toEqual({ recording: 'a.toolrec' })
    expect(savedEntry('a.toolrec#acme', 'recording', folder)).toEqual({ recording: 'a.toolrec#acme' })
  })

  test('has the command of a program, also of a single word or of a name with spaces', ({ folder }) => {
    writeFileSync(join(folder, 'my server.mjs'), '')
    expect(savedEntry('./server', 'mcp-server', folder)).toEqual({ mcp: { command: ['./server'] } })
    expect(savedEntry('mcp:npx -y thing', 'mcp-server', folder)).toEqual({
      mcp: { command: ['npx', '-y', 'thing'] },
    })
    expect(savedEntry('my server.mjs', 'llms-program', folder)).toEqual({ command: ['my server.mjs'] })
  })
})

test.for([
  ['is there', '{"sources":{}}'],
  ['is missing', undefined],
] as const)(
  'saving to toolscope.json: a symbolic link stays, and its file is written, which %s',
  ([, text], { folder }) => {
    const context = { environment: { TOOLSCOPE_DATA_DIR: folder }, say: () => {} }
    const file = join(folder, 'toolscope.json')
    const target = join(folder, 'elsewhere.json')
    if (text !== undefined) writeFileSync(target, text)
    symlinkSync('elsewhere.json', file)
    const writer = configWriter({ path: file, trust: new Trust(file, context, false) }, folder, context)
    const entry = { line: 'https://example.com/mcp' }
    const source = { name: 'saved', entry, kind: 'mcp-server', directory: folder }
    writer.write(writer.preview(source), 'saved')
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(JSON.parse(readFileSync(target, 'utf8')).sources.saved).toEqual({
      mcp: { url: 'https://example.com/mcp' },
    })
  },
)
