import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTypedLine } from './typed-line.ts'

const read = (text: string) => {
  const { words, environment, headers, name } = readTypedLine(text, '/nowhere')
  return { words, ...(environment && { environment }), ...(headers && { headers }), ...(name && { name }) }
}

describe('readTypedLine', () => {
  const npx = ['npx', '-y', 'some-server']
  it.each([
    ['npx -y some-server', { words: npx }],
    ['$ npx -y some-server', { words: npx }],
    ['npx -y \\\n  some-server', { words: npx }],
    // What an input of one line makes of that.
    ['npx -y \\  some-server', { words: npx }],
    ['toolscope npx -- -y some-server', { words: npx }],
    ['toolscope "npx -y some-server"', { words: npx }],
    ['$ toolscope serve npx -- -y some-server', { words: npx }],
    ['toolscope -- npx -y some-server', { words: ['mcp:npx', '-y', 'some-server'] }],
    ['FOO=bar BAZ="a b" npx -y some-server', { words: npx, environment: { FOO: 'bar', BAZ: 'a b' } }],
    ['claude mcp add memory -- npx -y some-server', { words: npx, name: 'memory' }],
    ['claude mcp add memory npx -y some-server', { words: npx, name: 'memory' }],
    [
      'claude mcp add -s user memory -e KEY=value --env OTHER=1 -- npx -y some-server',
      { words: npx, name: 'memory', environment: { KEY: 'value', OTHER: '1' } },
    ],
    [
      'claude mcp add --transport http shop https://example.com/mcp --header "Authorization: Bearer x"',
      { words: ['https://example.com/mcp'], name: 'shop', headers: { Authorization: 'Bearer x' } },
    ],
    ['~/functions', { words: [join(homedir(), 'functions')] }],
    [
      'ROOT=~/notes npx some-server ~ ~/a "~/b" ~ada a~/c',
      {
        words: ['npx', 'some-server', homedir(), join(homedir(), 'a'), '~/b', '~ada', 'a~/c'],
        environment: { ROOT: join(homedir(), 'notes') },
      },
    ],
    // These mean what they say.
    ['toolscope', { words: ['toolscope'] }],
    ['toolscope mcp acme.mjs', { words: ['toolscope', 'mcp', 'acme.mjs'] }],
    ['FOO=bar', { words: ['FOO=bar'] }],
    ['node a.mjs FOO=bar', { words: ['node', 'a.mjs', 'FOO=bar'] }],
    ['npx some-server -- -y', { words: ['npx', 'some-server', '--', '-y'] }],
    ['C:\\tools\\a.exe "" \'it"s\'', { words: ['C:\\tools\\a.exe', '', 'it"s'] }],
  ])('reads %s', (line, expected) => expect(read(line)).toEqual(expected))

  it('rejects a quote that is not closed', () => {
    expect(() => read('npx "some server')).toThrow('the " at character 5 is not closed')
    expect(() => read(`node a.mjs 'x`)).toThrow(`the ' at character 12 is not closed`)
  })

  it('rejects a mask in place of a value', () => {
    expect(() => read('TOKEN=••• npx -y some-server')).toThrow('TOKEN=•••')
  })

  it('keeps the quotes of the command after the variables', () => {
    expect(readTypedLine(`A=1 node "my file.mjs" 'it"s'`, '/nowhere').line).toBe(`node "my file.mjs" 'it"s'`)
  })
})
