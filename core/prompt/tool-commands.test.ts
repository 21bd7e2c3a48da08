import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolsOf } from './help.testkit.ts'
import { nameToolCommands, reservedCommands, toToolCommand } from './tool-commands.ts'

const commandsOf = (sources: Record<string, readonly string[]>) =>
  nameToolCommands(
    Object.entries(sources).flatMap(([source, names]) =>
      toolsOf(
        source,
        names.map(name => ({ name })),
      ),
    ),
  ).entries.map(({ command }) => command)

describe('toToolCommand', () => {
  it('puts one _ for each run of characters that a command cannot contain', () => {
    expect(toToolCommand('get-user_2')).toBe('get-user_2')
    expect(toToolCommand('api greet')).toBe('api_greet')
    expect(toToolCommand('  a / b  ')).toBe('a_b')
    expect(toToolCommand('--force')).toBe('_-force')
    expect(toToolCommand('')).toBe('tool')
    expect(toToolCommand('天気')).toBe('_')
    expect(toToolCommand('x'.repeat(10_000_000))).toHaveLength(128)
  })
})

describe('commands of a catalog', () => {
  it('are the plain names, unless the shell reserves them', () => {
    expect(commandsOf({ acme: ['api greet', 'status'], files: ['read'] })).toEqual([
      'api_greet',
      'status',
      'files_read',
    ])
  })

  it('name the source if two sources use a name', () => {
    expect(commandsOf({ a: ['greet', 'x'], b: ['greet'] })).toEqual(['a_greet', 'x', 'b_greet'])
  })

  it('are numbered if one source uses a name twice, or two spellings become one', () => {
    expect(commandsOf({ a: ['greet', 'greet', 'api x', 'api_x'] })).toEqual([
      'greet',
      'greet_2',
      'api_x',
      'api_x_2',
    ])
    expect(commandsOf({ a: ['greet', 'greet', 'greet_2'] })).toEqual(['greet', 'greet_3', 'greet_2'])
    expect(commandsOf({ a: ['g', 'a_g'], b: ['g'] })).toEqual(['a_g_2', 'a_g', 'b_g'])
    expect(commandsOf({ a: ['g', 'a_g'], b: ['g', 'a_g'] })).toEqual(['a_g_2', 'a_a_g', 'b_g', 'b_a_g'])
  })

  it('name the source if a name could be one of another source, whatever that lists', () => {
    expect(commandsOf({ a: ['g'], b: ['g', 'a_g'] })).toEqual(['a_g', 'b_g', 'b_a_g'])
    expect(commandsOf({ a: ['h'], b: ['a_g'] })).toEqual(['h', 'b_a_g'])
    expect(commandsOf({ a: ['g', 'g'], b: ['g_2'] })).toEqual(['a_g', 'a_g_2', 'b_g_2'])
    expect(commandsOf({ a: ['echo'], b: ['a_echo'] })).toEqual(['a_echo', 'b_a_echo'])
  })

  it('do not take the shell’s own words', () => {
    expect(commandsOf({ everything: ['echo', 'help', 'jq', 'Echo'] })).toEqual([
      'everything_echo',
      'everything_help',
      'everything_jq',
      'Echo',
    ])
  })

  it('lead from a command to its tool, and back', () => {
    const tools = [...toolsOf('a', [{ name: 'greet' }]), ...toolsOf('b', [{ name: 'greet' }])]
    const names = nameToolCommands(tools)
    expect(names.toolOf('b_greet')).toBe(tools[1])
    expect(names.commandOf('a/greet')).toBe('a_greet')
    expect(names.toolOf('greet')).toBeUndefined()
    expect(names.commandOf('nope')).toBeUndefined()
  })

  it('are unique, legal and the same each time', () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'a b', 'a_b', 'a_2', 's_a', 'echo', '', '__proto__', 'constructor'),
      fc.string({ unit: 'binary' }),
    )
    const lists = fc.dictionary(fc.constantFrom('s', 's_a', 'echo', '__proto__'), fc.array(name))
    fc.assert(
      fc.property(lists, sources => {
        const commands = commandsOf(sources)
        expect(new Set(commands).size).toBe(commands.length)
        for (const command of commands) {
          expect(command).toMatch(/^[a-zA-Z0-9_][a-zA-Z0-9_-]*$/)
          expect(reservedCommands.has(command)).toBe(false)
        }
        expect(commandsOf(sources)).toEqual(commands)
      }),
    )
  })

  it('take less than 5 seconds for 100,000 tools with the same name', () => {
    const same = toolsOf(
      'a',
      Array.from({ length: 100_000 }, () => ({ name: 'x' })),
    )
    const started = process.cpuUsage()
    expect(nameToolCommands(same).toolOf('x_100000')).toBeDefined()
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000)
  })
})
