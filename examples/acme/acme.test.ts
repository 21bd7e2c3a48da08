import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../core/manifest/read-manifest.ts'

const program = fileURLToPath(new URL('./acme.mjs', import.meta.url))

function acme(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  return { status, stdout, stderr }
}

const call = (name: string, input: unknown) => acme(...name.split(' '), '--json', JSON.stringify(input))

interface Entry {
  name: string
  description?: string
  inputSchema: Record<string, unknown>
  outputSchema: Record<string, unknown>
}
const list = (...words: string[]): Entry[] => JSON.parse(acme(...words, '--llms').stdout).tools

describe('--llms', () => {
  const { status, stdout, stderr } = acme('--llms')
  const { tools }: { tools: Entry[] } = JSON.parse(stdout)

  test('prints JSON indented by two and a newline, and nothing else', () => {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toBe(`${JSON.stringify({ tools }, null, 2)}\n`)
  })

  test('begins with the reserved help entry', () => {
    expect(
      stdout.startsWith(
        '{\n  "tools": [\n    {\n      "name": "help",\n      "description": "Documentation tool, not callable. ',
      ),
    ).toBe(true)
    const empty = { type: 'object', properties: {} }
    expect(tools[0]).toEqual({
      name: 'help',
      description: expect.any(String),
      inputSchema: empty,
      outputSchema: empty,
    })
  })

  test('lists every tool by its whole path, keys in order', () => {
    expect(tools.slice(1).map(tool => tool.name)).toEqual([
      ...['api greet', 'api deploy', 'api releases', 'builds scan', 'ops rollback', 'ops logs', 'ops status'],
      ...[
        'incidents open',
        'incidents list',
        'billing estimate',
        'billing export',
        'people find',
        'people invite',
      ],
      ...['people suspend', 'legacy inventory', 'status'],
    ])
    for (const tool of tools.slice(1)) {
      expect(Object.keys(tool)).toEqual(['name', 'inputSchema', 'outputSchema', 'description'])
      for (const schema of [tool.inputSchema, tool.outputSchema])
        expect(schema).toMatchObject({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          additionalProperties: false,
        })
    }
  })

  test('a property with a default is also in required', () => {
    const deploy = tools.find(tool => tool.name === 'api deploy')
    expect(deploy?.inputSchema).toMatchObject({
      required: ['build', 'environment', 'replicas'],
      properties: { replicas: { default: 3, type: 'integer', minimum: 1, maximum: 50 } },
    })
  })

  test('names are relative to where it is asked', () => {
    expect(list('api').map(tool => tool.name)).toEqual(['help', 'greet', 'deploy', 'releases'])
    expect(list('api', 'greet').map(tool => tool.name)).toEqual(['help', 'greet'])
  })

  test('before the command it does not ask for the list', () => {
    expect(acme('--llms', 'status')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('is read without a problem', () => {
    expect(readManifest({ tools })).toMatchObject({ format: '--llms manifest', problems: [] })
  })
})

describe('--json', () => {
  test('answers in JSON indented by two and a newline', () => {
    expect(call('api greet', { name: 'Ada' })).toEqual({
      status: 0,
      stdout: '{\n  "greeting": "Good day, Ada, and welcome to Acme Cloud."\n}\n',
      stderr: '',
    })
  })

  test.each([
    ['JSON that is none', ['api', 'greet', '--json', '{'], /^SyntaxError: /mu],
    ['a broken input', ['api', 'greet', '--json', '{}'], /^ZodError: \[\n {2}\{/mu],
    ['a broken output', ['ops', 'status', '--json', '{"region":"ap-south"}'], /^ZodError: \[\n {2}\{/mu],
    [
      'a tool that throws',
      ['people', 'suspend', '--json', '{"email":"ada@acme.example"}'],
      /^Error: Ada Byron is the last owner and cannot be suspended\n {4}at /mu,
    ],
    ['an unknown tool', ['nope', '--json', '{}'], /^error: unknown option '--json'\n$/u],
    ['a group', ['api', '--json', '{}'], /^error: unknown option '--json'\n$/u],
    ['help', ['help', '--json', '{}'], /^error: unknown option '--json'\n$/u],
  ])('%s is exit 1 with nothing on stdout', (_what, words, pattern) => {
    const { status, stdout, stderr } = acme(...words)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(pattern)
  })

  test('a ZodError names path and message', () => {
    const { stderr } = call('api deploy', { build: '1842', environment: 'staging' })
    const issues = JSON.parse(/ZodError: (\[[\s\S]*?\n\])/u.exec(stderr)?.[1] ?? 'null')
    expect(issues).toEqual([expect.objectContaining({ path: ['build'], message: expect.any(String) })])
  })

  test('without the flag the tool runs and prints nothing', () => {
    expect(acme('status')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(acme('api', 'greet', '--name', 'Ada')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('undeclared properties are dropped, not refused', () => {
    expect(call('api greet', { name: 'Ada', extra: 1 }).status).toBe(0)
  })
})

test('acme: people use it with ordinary flags and --help', () => {
  const words = ['--build', 'b-1', '--environment', 'dev', '--replicas', '2', '--labels', '{"team":"search"}']
  expect(JSON.parse(acme('api', 'deploy', ...words, '--json').stdout)).toMatchObject({
    environment: 'dev',
    regions: expect.arrayContaining([{ name: 'eu-west', healthy: true, replicas: 2 }]),
    labels: { team: 'search' },
  })
  expect(acme('api', 'greet', '--help').stdout).toContain('--name <value>')
})

describe('tools', () => {
  const ajv = formats.default(new Ajv2020({ strict: false }))
  const schemaOf = new Map(list().map(tool => [tool.name, tool.outputSchema]))

  test.each([
    ['api deploy', { build: 'b-1842', environment: 'staging', strategy: { kind: 'canary', percent: 5 } }],
    ['api releases', { environment: 'prod', limit: 1 }],
    ['ops rollback', { release: 'r-2290', reason: 'Checkout is slow' }],
    ['ops status', { region: 'eu-west', deep: true }],
    ['incidents open', { title: 'Search is down', affected: [{ service: 'search', region: null }] }],
    ['incidents list', { states: ['open'] }],
    ['billing estimate', { items: [{ service: 'compute', units: 8 }], discount: null }],
    ['people find', { role: 'owner' }],
    ['people invite', { email: 'new@acme.example', name: 'New', until: '2027-01-31' }],
    ['people suspend', { email: 'linus@acme.example' }],
    ['status', {}],
  ])('%s answers what its schema says', (name, input) => {
    const { status, stdout, stderr } = call(name, input)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const validate = ajv.compile(schemaOf.get(name) ?? false)
    expect(validate(JSON.parse(stdout)), JSON.stringify(validate.errors)).toBe(true)
  })

  test('legacy inventory answers what its schema forbids, and ends well', () => {
    const { status, stdout } = call('legacy inventory', {})
    const validate = ajv.compile(schemaOf.get('legacy inventory') ?? false)
    expect(status).toBe(0)
    expect(validate(JSON.parse(stdout))).toBe(false)
  })

  test('builds scan talks on stdout before its answer', () => {
    const { status, stdout } = call('builds scan', { build: 'b-7' })
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^scanner 4\.2: loading 182 rules\nscanner 4\.2: unpacking b-7 .*\n\{\n {2}"passed": true/u,
    )
  })

  test('ops logs tells its progress on stderr while it waits', () => {
    const started = performance.now()
    const { status, stdout, stderr } = call('ops logs', { release: 'r-2291', seconds: 1 })
    expect(performance.now() - started).toBeGreaterThan(950)
    expect(status).toBe(0)
    expect(stderr).toBe('listening to r-2291: 50%\nlistening to r-2291: 100%\n')
    expect(JSON.parse(stdout).lines).toHaveLength(2)
  })

  test('billing export is about 5 MB of JSON', () => {
    const { stdout } = call('billing export', { month: '2026-11' })
    expect(stdout.length).toBeGreaterThan(4_800_000)
    expect(stdout.length).toBeLessThan(5_500_000)
    expect(JSON.parse(stdout).rows).toHaveLength(40_000)
  })
})
