import { describe, expect, it } from 'vitest'
import {
  categoryText,
  countCategories,
  describeFoundTool,
  discover,
  findTools,
  unknownTool,
} from './discover.ts'
import { toolsOf } from './help.testkit.ts'
import { nameToolCommands } from './tool-commands.ts'

const names = nameToolCommands([
  ...toolsOf('acme', [
    { name: 'api greet', description: 'Greet someone POLITELY', annotations: { readOnlyHint: true } },
    { name: 'api deploy', extra: { tags: ['Release', 7, ''] }, annotations: { destructiveHint: true } },
    { name: 'status', extra: { _meta: { tags: ['health'], vendor: { tags: ['nested'] } } } },
  ]),
  ...toolsOf('files', [{ name: 'api', extra: { category: 'disk' }, outputSchema: true }]),
])
const commandsBy = (by: 'search' | 'category' | 'tag', word: string) =>
  discover(names.entries, { by, word }).map(({ command }) => command)

describe('discover', () => {
  it('searches names and descriptions, and searches like the catalog if none contains the text', () => {
    expect(commandsBy('search', 'politely')).toEqual(['api_greet'])
    expect(commandsBy('search', 'API D')).toEqual(['api_deploy'])
    expect(commandsBy('search', 'API_')).toEqual(['api_greet', 'api_deploy'])
    expect(commandsBy('search', 'say hello politly')).toEqual(['api_greet'])
    expect(commandsBy('search', 'nothing like it')).toEqual([])
  })

  it('finds by the author’s tags, by those in _meta, and by hints', () => {
    expect(commandsBy('tag', 'release')).toEqual(['api_deploy'])
    expect(commandsBy('tag', 'health')).toEqual(['status'])
    expect(commandsBy('tag', 'nested')).toEqual(['status'])
    expect(commandsBy('tag', 'read-only')).toEqual(['api_greet'])
    expect(commandsBy('tag', 'destructive')).toEqual(['api_deploy'])
    expect(commandsBy('tag', 'lease')).toEqual([])
  })

  it('counts the source, the group and a stated category as categories', () => {
    expect(categoryText(countCategories(names.entries))).toBe(
      'acme (3 tools)\napi (2 tools)\ndisk (1 tool)\nfiles (1 tool)\n',
    )
    expect(commandsBy('category', 'API')).toEqual(['api_greet', 'api_deploy'])
    expect(commandsBy('category', 'disk')).toEqual(['api'])
    expect(categoryText([])).toBe('')
  })

  it('describes found tools as data', () => {
    expect(names.entries.map(describeFoundTool)[3]).toEqual({
      categories: ['files', 'disk'],
      description: '',
      name: 'api',
      tags: ['typed-output'],
    })
  })
})

describe('findTools and unknownTool', () => {
  it('find by reference, by command and by the source’s own name', () => {
    const refs = (word: string) => findTools(names.entries, word).map(({ tool }) => tool.ref)
    expect(refs('acme/api greet')).toEqual(['acme/api greet'])
    expect(refs('api_greet')).toEqual(['acme/api greet'])
    expect(refs('api greet')).toEqual(['acme/api greet'])
    expect(refs('nope')).toEqual([])
  })

  it('find several tools with the same name', () => {
    const both = nameToolCommands([...toolsOf('a', [{ name: 'x' }]), ...toolsOf('b', [{ name: 'x' }])])
    expect(findTools(both.entries, 'x')).toHaveLength(2)
    expect(findTools(both.entries, 'b_x')).toHaveLength(1)
  })

  it('answer an unknown word with the nearest names', () => {
    const commands = names.entries.map(({ command }) => command)
    const answer = (word: string) => unknownTool(word, commands)
    expect(answer('nope').message).toBe('help: unknown tool: nope')
    expect(answer('nope').exitCode).toBe(2)
    expect(answer('nope').toShape().hint).toBe('Run `toolscope help --list` to see the names.')
    expect(answer('api_gret').toShape().hint).toBe('Did you mean api_greet?')
    expect(answer('\u001b[2J').message).toBe('help: unknown tool: \uFFFD[2J')
    expect(answer('x'.repeat(1_000_000)).detail).toHaveLength(200)
  })
})
