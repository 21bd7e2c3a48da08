import { describe, expect, it } from 'vitest'
import { writeJson } from '../json/json-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { readFlags } from './read-flags.ts'

const user: JsonSchema = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    ratio: { type: 'number' },
    active: { type: 'boolean' },
    role: { type: 'string', enum: ['admin', 'guest'] },
    tags: { type: 'array', items: { type: 'string' } },
    scores: { type: 'array', items: { type: 'integer' } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    limits: { type: 'object', properties: { cpu: { type: 'number' }, on: { type: 'boolean' } } },
    steps: {
      type: 'array',
      items: { type: 'object', properties: { at: { type: 'integer' }, what: { type: 'string' } } },
    },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    count: { type: ['integer', 'null'] },
    either: { type: ['integer', 'string'] },
    closed: { type: 'object', properties: { a: {}, b: {} } },
    free: {},
  },
}

function inputOf(schema: JsonSchema, words: readonly string[], stdin?: string): unknown {
  const reading = readFlags(schema, words, { stdin: stdin ?? null })
  return reading.ok ? JSON.parse(writeJson(reading.input, 0)) : reading.message
}

describe('readFlags', () => {
  const cases: [string, readonly string[], unknown][] = [
    ['a value after the flag', ['--id', '7', '--role', 'admin'], { id: 7, role: 'admin' }],
    ['a value after =', ['--id=7', '--role=a=b'], { id: 7, role: 'a=b' }],
    ['a negative number', ['--id', '-7', '--ratio=-0.5'], { id: -7, ratio: -0.5 }],
    ['numbers as shells write them', ['--id', '007', '--ratio', '+1.5'], { id: 7, ratio: 1.5 }],
    ['true by presence', ['--active', '--id', '1'], { active: true, id: 1 }],
    ['a switch takes no word', ['--active', 'x'], 'expected --flag, got: x'],
    ['false with =', ['--active=false'], { active: false }],
    ['text for a number stays text', ['--id', 'seven'], { id: 'seven' }],
    ['digits for a text stay text', ['--role', '42'], { role: '42' }],
    ['a list with commas', ['--tags', 'a, b,c'], { tags: ['a', ' b', 'c'] }],
    ['a list as JSON', ['--tags', '["a,b","c"]'], { tags: ['a,b', 'c'] }],
    ['a list by repeats', ['--tags', 'a', '--tags', 'b,c'], { tags: ['a', 'b', 'c'] }],
    ['a list of numbers', ['--scores', '1,2', '--scores=3'], { scores: [1, 2, 3] }],
    ['an empty list as JSON', ['--tags=[]'], { tags: [] }],
    ['an empty text in a list', ['--tags='], { tags: [''] }],
    ['an object as JSON', ['--labels', '{"a":"b c"}'], { labels: { a: 'b c' } }],
    [
      'an object by members',
      ['--labels', 'team=core env=prod west'],
      { labels: { team: 'core', env: 'prod west' } },
    ],
    [
      'members as words of their own',
      ['--labels', 'a=1', 'b=2', '--id', '1'],
      { labels: { a: '1', b: '2' }, id: 1 },
    ],
    ['members by repeats', ['--labels', 'a=1', '--labels', 'b=2'], { labels: { a: '1', b: '2' } }],
    ['members by their own schema', ['--limits', 'cpu=0.5 on=true'], { limits: { cpu: 0.5, on: true } }],
    [
      'a list of objects by members',
      ['--steps', 'at=1 what=build', '--steps', '{"at":2}'],
      { steps: [{ at: 1, what: 'build' }, { at: 2 }] },
    ],
    ['null as a text where a text may be', ['--note', 'null'], { note: 'null' }],
    ['null where no text may be', ['--count', 'null'], { count: null }],
    ['the kind that the schema names first', ['--either', '5'], { either: 5 }],
    ['text of any kind as text', ['--free', '5'], { free: '5' }],
    ['JSON of any kind as JSON', ['--free', '[1]'], { free: [1] }],
    ['an undeclared flag, as text', ['--nope', '5', '--id', '1'], { nope: '5', id: 1 }],
    ['a text with two dashes needs =', ['--role=--id'], { role: '--id' }],
    ['no member that is not declared', ['--closed', 'c=1'], "--closed: unknown key 'c'; valid keys: a, b"],
    ['the last of a scalar', ['--id', '1', '--id', '2'], { id: 2 }],
    ['the whole as JSON', ['--json', '{"id":1}', '--role', 'guest'], { id: 1, role: 'guest' }],
    ['a member with a dot', ['--limits.cpu', '2', '--limits.on'], { limits: { cpu: 2, on: true } }],
    ['a member of an open object', ['--labels.team', 'core'], { labels: { team: 'core' } }],
    [
      'a member with its whole object, in any order',
      ['--limits.cpu', '2', '--limits', '{"cpu":1,"on":true}'],
      { limits: { cpu: 2, on: true } },
    ],
    ['an undeclared name with a dot, as text', ['--closed.c', '1'], { 'closed.c': '1' }],
    [
      'a member of what is not an object',
      ['--json', '{"limits":[]}', '--limits.cpu', '1'],
      '--limits.cpu: --limits is given too, and is not an object',
    ],
    ['false by --no-', ['--no-active', '--no-limits.on'], { active: false, limits: { on: false } }],
    ['no text by --no-', ['--no-role', 'x'], { 'no-role': 'x' }],
    ['a word that is not a flag', ['id', '7'], 'expected --flag, got: id'],
    ['broken JSON for the whole', ['--json', '[1]'], '--json needs a JSON object'],
  ]
  it.each(cases)('reads %s', (_name, words, expected) => {
    expect(inputOf(user, words)).toEqual(expected)
  })

  const strictCases: [string, readonly string[], unknown][] = [
    [
      'a value of its type',
      ['--id', '7', '--tags', 'a', '--tags', 'b'],
      { id: 7, tags: ['a', 'b'], note: 'x' },
    ],
    ['a member of the given input', ['--limits.cpu', '2'], { limits: { cpu: 2 }, note: 'x' }],
    ['true and false after a switch', ['--active', 'false'], { active: false, note: 'x' }],
    ['a near name for an unknown one', ['--rolle', 'x'], 'unknown option --rolle; did you mean --role?'],
    ['a near member', ['--limits.cup', '1'], 'unknown option --limits.cup; did you mean --limits.cpu?'],
    [
      'a near option of the command',
      ['--timeout-m', '1'],
      'unknown option --timeout-m; did you mean --timeout-ms?',
    ],
    [
      'every name if none is near',
      ['--zzzzzzzzz', '1'],
      'unknown option --zzzzzzzzz; the tool has --active, --closed, --count, --either, --free, --id, --labels, --limits, --note, --ratio, --role, --scores …',
    ],
    ['no flag without its value', ['--id'], '--id needs a value'],
    [
      'no word after a switch',
      ['--active', 'm.json'],
      '--active is true without a value, but "m.json" follows it; name sources before the tool\'s flags',
    ],
    ['no --dry-run of its own', ['--dry-run'], expect.stringContaining('unknown option --dry-run')],
  ]
  it.each(strictCases)('reads a command line: %s', (_name, words, expected) => {
    const strict = { otherFlags: ['timeout-ms'] }
    const reading = readFlags(user, words, { base: { note: 'x' }, strict })
    expect(reading.ok ? JSON.parse(writeJson(reading.input, 0)) : reading.message).toEqual(expected)
  })

  it('accepts undeclared flags on a command line if the schema allows them or declares none', () => {
    const strict = { otherFlags: [] }
    const open: JsonSchema = { properties: { a: {} }, additionalProperties: true }
    expect(readFlags(open, ['--b', '1'], { strict })).toMatchObject({ input: { b: '1' } })
    expect(readFlags({ type: 'object' }, ['--b', '1'], { strict })).toMatchObject({ input: { b: '1' } })
    const none: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }
    expect(readFlags(none, ['--b', '1'], { strict })).toMatchObject({
      message: 'unknown option --b; the tool has none',
    })
  })

  it('takes the whole input from stdin with --json -', () => {
    expect(inputOf(user, ['--json', '-'], '{"id":3}\n')).toEqual({ id: 3 })
    // As in the seed system, stdin alone is not an input.
    expect(inputOf(user, [], '{"id":3}\n')).toEqual({})
  })

  it('keeps the digits of a number beyond 2^53', () => {
    const reading = readFlags(user, ['--id', '9007199254740993'])
    expect(reading.ok && writeJson(reading.input, 0)).toBe('{"id":9007199254740993}')
  })

  it('knows --dry-run and --help, unless the tool has such a property', () => {
    expect(readFlags(user, ['--dry-run', '--id', '1'])).toMatchObject({ dryRun: true, input: { id: 1 } })
    expect(readFlags(user, ['--help'])).toMatchObject({ help: true })
    const own: JsonSchema = { properties: { help: { type: 'boolean' }, json: { type: 'string' } } }
    expect(readFlags(own, ['--help', '--json', 'x'])).toMatchObject({
      help: false,
      input: { help: true, json: 'x' },
    })
  })

  it('does not reach a prototype', () => {
    const reading = readFlags({ properties: {} }, ['--__proto__', 'x', '--constructor=y'])
    expect(reading.ok && Object.keys(reading.input)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it('reads megabytes in less than 4 seconds', () => {
    const started = process.cpuUsage()
    for (const text of [
      ' '.repeat(1e6),
      'a='.repeat(5e5),
      'a=b '.repeat(2e4),
      ','.repeat(3e5),
      '['.repeat(1e6),
    ])
      for (const name of ['labels', 'steps', 'tags', 'free']) readFlags(user, [`--${name}=${text}`])
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(4_000)
  })
})
