/** The command line of the built program: data on stdout, talk on stderr, exit codes. No browser. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { specTypeSchemas } from '@modelcontextprotocol/client'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect } from 'vitest'
import { acme as acmeProgram, program, type Run, runToolscope } from '../../scripts/toolscope-program.ts'
import { test } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

const acme = ['node', '--', acmeProgram]

/** The built program, in a process of its own. */
const built = (args: readonly string[], directory?: string) =>
  runToolscope(args, directory === undefined ? {} : { directory })

const toolscope = (args: readonly string[], input = '', directory?: string): Promise<Run> =>
  runCommandLine(args, { input, ...(directory === undefined ? {} : { directory }) })

describe('toolscope list', () => {
  test('prints one line per tool, and JSON with --json', async () => {
    const human = await built(['list', ...acme])
    expect(human.code).toBe(0)
    expect(human.stdout).toMatch(/^acme\/api greet +Greet someone politely$/m)
    // `--json` does not take the word after it, unless that is JSON.
    for (const words of [
      ['--json', ...acme],
      ['node', '--json', ...acme.slice(1)],
    ]) {
      const { tools } = JSON.parse((await toolscope(['list', ...words])).stdout)
      expect(tools[0]).toMatchObject({
        ref: 'acme/api greet',
        name: 'api greet',
        source: 'acme',
        inputSchema: { properties: { name: { type: 'string' } } },
        outputSchema: { type: 'object' },
      })
    }
  })

  test('takes its whole input as JSON', async () => {
    const input = JSON.stringify({ sources: [['node', acmeProgram]], query: 'greet' })
    const run = await toolscope(['list', '--json', input])
    expect(JSON.parse(run.stdout).tools.map((tool: { name: string }) => tool.name)).toEqual(['api greet'])
  })

  test('lists prompts and resources besides the tools, and `toolscope call` reads a resource', async () => {
    const server = `mcp:node ${fileURLToPath(new URL('../sources/fixtures/mcp-raw.mjs', import.meta.url))} stdio --surface`
    const json = JSON.parse((await toolscope(['list', server, '--json'])).stdout)
    expect(json.tools.map(({ name }: { name: string }) => name)).toEqual(['fine', 'no-schema', '__proto__'])
    expect(json.prompts[0]).toMatchObject({ ref: 'mcp-raw/prompts/greet', name: 'greet', source: 'mcp-raw' })
    expect(json.resources[1]).toMatchObject({ ref: 'mcp-raw/resources/raw://pixel', uri: 'raw://pixel' })
    const human = await toolscope(['list', server, '--surface'])
    expect(human.stdout).toMatch(/^mcp-raw\/prompts\/greet$/m)
    const read = await toolscope(['call', 'mcp-raw/resources/raw://json', server, '--input', '{}'])
    expect(read.stdout).toContain('12345678901234567890')
  })

  test('names a manifest source after its file', async ({ folder }) => {
    writeFileSync(join(folder, 'm.json'), '{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}')
    const run = await toolscope(['list', 'm.json', '--json'], '', folder)
    expect(JSON.parse(run.stdout).tools).toMatchObject([{ ref: 'm/x', source: 'm', callable: false }])
  })

  test('exits 3 for an unreachable source and lists the others', async () => {
    const run = await toolscope(['list', 'no-such-program', 'examples/acme/acme.mjs'])
    expect(run.code).toBe(3)
    expect(run.stdout).toContain('acme/api greet')
    expect(run.stderr).toContain('no-such-program')
  })

  test('prints the tools of other sources while one source hangs', async ({ folder }) => {
    writeFileSync(join(folder, 'slow.cjs'), 'setInterval(() => {}, 1000)')
    const slow = { command: ['node', 'slow.cjs'], listTimeoutMs: 60_000 }
    const sources = { acme: { command: ['node', acmeProgram] }, slow }
    writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
    const child = spawn('node', [program, 'list', '--trust'], { cwd: folder })
    const shown = await new Promise(resolve => child.stdout.once('data', chunk => resolve(String(chunk))))
    expect(shown).toMatch(/^acme\/api greet/)
    expect(child.exitCode).toBe(null)
    child.kill('SIGTERM')
    await once(child, 'exit')
  })

  test('says what is wrong with a bad source', async ({ folder }) => {
    writeFileSync(join(folder, 'bad.json'), '{"tools": [')
    writeFileSync(join(folder, 'other.json'), '{"hello": 1}')
    writeFileSync(join(folder, 'zero.json'), '')
    const cases = [
      ['bad.json', 'The JSON breaks off at line 1'],
      ['zero.json', 'Couldn’t read the manifest: zero.json is empty\n'],
      ['other.json', 'Unrecognized manifest format'],
      ['.', 'has no functions.json or mcp.json'],
      ['missing.json', 'missing.json'],
    ] as const
    for (const [source, words] of cases) {
      const run = await toolscope(['list', source], '', folder)
      expect(run.code, source).toBe(3)
      expect(run.stderr, source).toContain(words)
    }
  })
})

describe('toolscope call', () => {
  const call = (name: string, input: string, stdin = '') =>
    toolscope(['call', name, 'node', '--input', input, '--', acmeProgram], stdin)

  test('prints the result unchanged, and the verdict on stderr', async () => {
    const run = await call('api greet', '{"name":"Ada"}')
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stdout).greeting).toContain('Ada')
    expect(run.stderr).toContain('output valid')
  })

  test('reads the input from a file or stdin', async ({ folder }) => {
    const file = join(folder, 'input.json')
    writeFileSync(file, '{"name":"Grace"}')
    expect((await call('api greet', `@${file}`)).stdout).toContain('Grace')
    expect((await call('api greet', '-', '{"name":"Edsger"}')).stdout).toContain('Edsger')
    expect((await call('api greet', '@nowhere.json')).code).toBe(2)
    const broken = await call('api greet', '{"name"')
    expect(broken.code).toBe(2)
    expect(broken.stderr).toContain('The input is not JSON: line 1, column 8')
    expect(broken.stdout).toBe('')
  })

  test('exits 4 for a failure and for an output that breaks its schema, and prints that output', async () => {
    const invalid = await call('legacy inventory', '{}')
    expect(invalid.code).toBe(4)
    expect(JSON.parse(invalid.stdout)).toBeInstanceOf(Object)
    expect(invalid.stderr).toMatch(/✓ acme\/.* ms · exit 0 · output invalid \(\d+\)\n/)
    const failed = await call('people suspend', '{"email":"ada@acme.example","address":"ada@acme.example"}')
    expect(failed.code).toBe(4)
    expect(failed.stderr).toContain('✗ acme/people suspend')
  })

  test('opens only the sources that can have the tool, and all sources when none is known to have it', async ({
    folder,
  }) => {
    const log = join(folder, 'log')
    const other = `require('node:fs').appendFileSync(${JSON.stringify(log)}, 'x')
      console.log(JSON.stringify(process.argv.includes('--llms') ? { tools: [{ name: 'one', inputSchema: {} }] } : {}))`
    writeFileSync(join(folder, 'other.cjs'), other)
    const config = join(folder, 'toolscope.json')
    const sources = { acme: { command: ['node', acmeProgram] }, other: { command: ['node', 'other.cjs'] } }
    writeFileSync(config, JSON.stringify({ sources }))
    const started = async (tool: string, input: string) => {
      rmSync(log, { force: true })
      const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
      const args = ['call', tool, '--input', input, '--config', config]
      const run = await runCommandLine(args, { directory: folder, environment })
      return [run.code, existsSync(log)]
    }
    const ada = '{"name":"Ada"}'
    expect(await started('acme/api greet', ada)).toEqual([0, false])
    // Nothing is known of the other source yet.
    expect(await started('api greet', ada)).toEqual([0, true])
    expect(await started('other/one', '{}')).toEqual([0, true])
    expect(await started('api greet', ada)).toEqual([0, false])
    expect(await started('nothing', '{}')).toEqual([2, true])
    // Another source lists a tool of the name by which that of the other one is called while both have it.
    writeFileSync(
      join(folder, 'third.cjs'),
      "console.log(JSON.stringify({ tools: ['one', 'other_one'].map(name => ({ name, inputSchema: {} })) }))",
    )
    const third = { command: ['node', 'third.cjs'] }
    writeFileSync(config, JSON.stringify({ sources: { ...sources, third } }))
    expect(await started('third/one', '{}')).toEqual([0, false])
    expect(await started('other_one', '{}')).toEqual([2, true])
  })

  test('exits 2 for an unknown tool and suggests a similar name', async () => {
    const run = await call('api gret', '{}')
    expect(run.code).toBe(2)
    expect(run.stderr).toContain('did you mean "api greet"?')
  })
})

describe('toolscope as its own source', () => {
  test('--llms prints a manifest of the documented shape', async () => {
    const { stdout, code } = await built(['--llms'])
    expect(code).toBe(0)
    expect(stdout).toBe(`${JSON.stringify(JSON.parse(stdout), null, 2)}\n`)
    const { tools } = JSON.parse(stdout)
    expect(tools[0]).toMatchObject({ name: 'help', inputSchema: { type: 'object', properties: {} } })
    expect(tools[0].description).toMatch(/^Documentation tool, not callable\./)
    for (const tool of tools.slice(1)) {
      expect(Object.keys(tool)).toEqual(['name', 'inputSchema', 'outputSchema', 'description'])
      expect(tool.inputSchema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    }
    // Clients of either line of the MCP SDK take it for a list of tools.
    expect(ListToolsResultSchema.safeParse({ tools }).error).toBeUndefined()
    expect(await specTypeSchemas.ListToolsResult['~standard'].validate({ tools })).not.toHaveProperty(
      'issues',
    )
  })

  test('lists itself, and calls itself with a valid output', async () => {
    const listed = JSON.parse((await toolscope(['list', 'node', '--json', '--', program])).stdout)
    expect(listed.tools.map((tool: { name: string }) => tool.name)).toEqual(
      expect.arrayContaining(['list', 'call']),
    )
    const inner = JSON.stringify({ sources: [['node', acmeProgram]], query: 'greet' })
    const run = await toolscope(['call', 'list', 'node', '--json', '--input', inner, '--', program])
    const output = JSON.parse(run.stdout)
    expect(output).toMatchObject({ status: 'result', validation: { verdict: 'valid' } })
    expect(output.structuredContent.tools[0].name).toBe('api greet')
  })
})

test('toolscope: exits 2 for a wrong command line', async ({ folder }) => {
  for (const args of [
    ['list', '--nope'],
    ['list'],
    ['call'],
    ['serve', '--port', 'x'],
    ['list', '--json', '7'],
  ])
    expect((await toolscope(args, '', folder)).code, args.join(' ')).toBe(2)
  // The exit code of the process is that of the command line.
  expect((await built(['list', '--nope'], folder)).code).toBe(2)
})

test('toolscope: explains a mistake in the words of the command line, with what to do', async ({
  folder,
}) => {
  const cases: readonly (readonly [args: readonly string[], ...told: readonly string[]])[] = [
    [['call'], 'call: <tool> is missing', 'Name of the tool', 'toolscope call --help'],
    [['export', 'm.json'], 'export: -o, --out is missing', 'Output folder'],
    [
      ['diff', 'a', 'b', '--fail-on', 'x'],
      'diff: --fail-on is "x", and must be breaking, dangerous, warning or none',
    ],
    [['serve', '--port', '70000'], 'serve: --port is 70000, and must be at most 65535'],
    [['serve', '--port', 'x'], '--port: "x" is not a number', 'toolscope serve --help'],
    [['connect'], 'connect: <client> is missing'],
    [['tap'], 'tap needs either an address', 'toolscope tap --help'],
    [['tap', 'npx', '-y', 'pkg'], "unknown option '-y'", 'toolscope tap -- npx -y …'],
    [['people', 'add', 'ada', '--expires', '30'], '--expires: must be a number of days, such as 30d'],
    [['pin', '--remove', 'acme'], 'has no pin of acme', 'Nothing is approved there.'],
    [['call', '--json', '{"tool":5}'], 'call: tool: Invalid input: expected string, received number'],
    [
      ['list', 'npx', '-y', 'pkg'],
      "unknown option '-y'",
      'toolscope list "npx -y …"',
      'toolscope list npx -- -y …',
    ],
    [['npx', '-y', 'pkg'], 'toolscope "npx -y …"', 'toolscope npx -- -y …'],
    [['call', 'greet', 'npx', '-y'], 'toolscope call greet "npx -y …"'],
    [['lst'], 'No such file or program: lst', 'Did you mean `toolscope list`?'],
    [['snapshot'], 'Name one: toolscope snapshot <program or manifest.json>'],
    [['call', 'greet'], 'Name one: toolscope call <tool> <program or manifest.json>'],
    [
      ['call', 'greet', 'm.json', '--input', '@nofile.json'],
      `there is no file ${join(folder, 'nofile.json')}`,
    ],
  ]
  for (const [args, ...told] of cases) {
    const { stderr } = await toolscope(args, '', folder)
    for (const words of told) expect(stderr, args.join(' ')).toContain(words)
  }
  // A lock that was neither written nor compared is not a result.
  expect(await toolscope(['pin', 'lst'], '', folder)).toMatchObject({ code: 3, stdout: '' })
  // A mistyped option of Toolscope is not an option of a program.
  expect((await toolscope(['list', '--querry', 'x'], '', folder)).stderr).not.toContain('behind --')
  expect((await toolscope(['call', 'greet', '--nope'], '', folder)).stderr).not.toContain('behind --')
  expect(
    (await toolscope(['call', 'greet', 'm.json', '--input', '@nofile.json'], '', folder)).stderr,
  ).not.toContain('not JSON')
})
