/** What a person types, line by line: the exit code, and what stdout and stderr say. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import parseArgv from 'string-argv'
import { expect } from 'vitest'
import { test as base } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

const echo = {
  name: 'echo',
  description: 'Echo the input',
  inputSchema: {
    type: 'object',
    required: ['message'],
    properties: {
      message: { type: 'string', description: 'What to say\nNothing is sent.' },
      count: { type: 'integer' },
      lang: { enum: ['en', 'de'] },
      force: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      scores: { type: 'array', items: { type: 'number' } },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      config: {
        type: 'object',
        properties: {
          depth: { type: 'integer' },
          on: { type: 'boolean' },
          inner: { type: 'object', properties: { name: { type: 'string' } } },
        },
      },
    },
  },
}
/** Its fields have the names of our own options. */
const own = {
  name: 'own',
  description: 'Has fields named as options of Toolscope',
  inputSchema: {
    type: 'object',
    required: ['input'],
    properties: { input: { type: 'string' }, json: { type: 'string' }, yes: { type: 'boolean' } },
  },
}
const open = { name: 'open', inputSchema: { type: 'object' } }

const program = `#!/usr/bin/env node
const words = process.argv.slice(2)
if (words.includes('--llms')) console.log(${JSON.stringify(JSON.stringify({ tools: [echo, own, open] }))})
else console.log(words[words.indexOf('--json') + 1])
`

/** A line, its exit code, and what stdout (an object: as JSON, or a pattern) and stderr contain. */
type Typed = readonly [line: string, code: number, stdout?: unknown, stderr?: string, stdin?: string]

const test = base.extend<{ expectLines: (lines: readonly Typed[]) => Promise<void> }>({
  expectLines: async ({ folder }, use) => {
    writeFileSync(join(folder, 'tools.cjs'), program)
    writeFileSync(join(folder, 'input.json'), '{"message":"from a file","count":1}')
    writeFileSync(join(folder, 'cut.json'), '{"message":"cu')
    writeFileSync(join(folder, 'm.json'), JSON.stringify({ tools: [echo] }))
    const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
    await use(async lines => {
      for (const [line, code, stdout = '', stderr = '', input = ''] of lines) {
        const run = await runCommandLine(parseArgv(line), { directory: folder, environment, input })
        expect(run, line).toMatchObject({ code, stderr: expect.stringContaining(stderr) })
        if (stdout instanceof RegExp) expect(run.stdout, line).toMatch(stdout)
        else if (typeof stdout === 'object') expect(JSON.parse(run.stdout), line).toEqual(stdout)
        else expect(run.stdout, line).toContain(stdout)
      }
    })
  },
})

test('typed lines: name the source in six ways', async ({ expectLines }) => {
  const hi = { message: 'hi' }
  await expectLines([
    ['call echo tools.cjs --message hi', 0, hi, '✓ tools/echo'],
    ['call echo ./tools.cjs --message hi', 0, hi],
    ['call echo "node tools.cjs" --message hi', 0, hi],
    ['call echo node --message hi -- tools.cjs', 0, hi],
    // The words after -- are those of the program.
    ['call echo -- node tools.cjs --message hi', 3, '', 'node tools.cjs --message hi exited'],
    ['call tools/echo tools.cjs --message hi', 0, hi],
    ['call echo node -- tools.cjs -- --message hi', 0, hi],
  ])
})

test('typed lines: read the flags of a tool by its schema, in any order', async ({ expectLines }) => {
  await expectLines([
    [
      'call echo tools.cjs --message hi --tags a --tags b --config.depth 2 --force --no-config.on',
      0,
      { config: { depth: 2, on: false }, force: true, message: 'hi', tags: ['a', 'b'] },
    ],
    ['call echo --message=hi tools.cjs', 0, { message: 'hi' }],
    ['call echo --message hi tools.cjs --count 5', 0, { message: 'hi', count: 5 }],
    ['call --timeout 5s echo --message hi --require-valid tools.cjs', 4, '{"message":"hi"}\n'],
    ['call echo tools.cjs --message hi --timeout 5s --count=-5', 0, { message: 'hi', count: -5 }],
    ['call echo tools.cjs --message hi --count -5', 0, { message: 'hi', count: -5 }],
    ['call echo tools.cjs --message -', 0, { message: '-' }],
    ['call echo tools.cjs --message=--loud', 0, { message: '--loud' }],
    ['call echo tools.cjs --message "a b=c"', 0, { message: 'a b=c' }],
    ['call echo tools.cjs --message 42', 0, { message: '42' }],
    ['call echo tools.cjs --message hi --scores 1,2 --scores 3', 0, { message: 'hi', scores: [1, 2, 3] }],
    ['call echo tools.cjs --message hi --scores 1 2 -9.5', 0, { message: 'hi', scores: [1, 2, -9.5] }],
    ['call echo --scores 1 2 --message hi tools.cjs', 0, { message: 'hi', scores: [1, 2] }],
    ['call echo tools.cjs --message hi --count 1 2', 2, '', '--count takes one value, but "2" follows it'],
    ['call echo tools.cjs --message hi --tags a b', 3, '', 'repeat the flag: --tags a --tags b'],
    [`call echo tools.cjs --message hi --tags '["a,b"]'`, 0, { message: 'hi', tags: ['a,b'] }],
    [
      'call echo --message hi --labels team=core env=prod --force tools.cjs',
      2,
      '',
      '"tools.cjs" was read as the value of --force',
    ],
    [
      'call echo tools.cjs --message hi --labels team=core env=prod',
      0,
      { message: 'hi', labels: { team: 'core', env: 'prod' } },
    ],
    ['call echo tools.cjs --message hi --labels.team core', 0, { message: 'hi', labels: { team: 'core' } }],
    [
      'call echo tools.cjs --message hi --config.inner.name x',
      0,
      { message: 'hi', config: { inner: { name: 'x' } } },
    ],
    [`call echo tools.cjs --message hi --config '{"depth":1}' --config.on`, 2, '', 'could not be read'],
    ['call echo tools.cjs --no-force --message hi', 0, { force: false, message: 'hi' }],
    ['call echo tools.cjs --force false --message hi', 0, { force: false, message: 'hi' }],
    ['call echo tools.cjs --count many --message hi', 0, '"many"', 'Input is invalid'],
    ['call echo tools.cjs --lang fr --message hi', 0, '"fr"', 'Input is invalid'],
    ['call open tools.cjs --any thing --other', 2, '', '--other needs a value'],
    ['call open tools.cjs --any thing', 0, { any: 'thing' }],
    ['call echo tools.cjs --count 12345678901234567890 --message hi', 0, '"count":12345678901234567890'],
  ])
})

test('typed lines: take the whole input as JSON, and change it by flags', async ({ expectLines }) => {
  await expectLines([
    [`call echo tools.cjs --input '{"message":"hi"}'`, 0, { message: 'hi' }],
    [`call echo --json '{"message":"hi"}' tools.cjs`, 0, '"structuredContent": {\n    "message": "hi"'],
    [`call echo tools.cjs --json='{"message":"hi"}'`, 0, '"message": "hi"'],
    ['call echo tools.cjs --json @input.json', 0, '"message": "from a file"'],
    ['call echo tools.cjs --json -', 0, '"message": "piped"', '', '{"message":"piped"}'],
    ['call echo --json tools.cjs --message hi', 0, '"message": "hi"'],
    ['call echo tools.cjs --message hi --json', 0, '"message": "hi"'],
    ['call echo tools.cjs --input @input.json --count 7', 0, { message: 'from a file', count: 7 }],
    ['call echo tools.cjs --input @input.json --config.depth 1', 0, '"config":{"depth":1}'],
    ['call echo tools.cjs --input - --count 7', 0, { message: 'piped', count: 7 }, '', '{"message":"piped"}'],
    [`call --json '{"tool":"echo","sources":["tools.cjs"],"input":{"message":"hi"}}'`, 0, '"message": "hi"'],
    [`call echo tools.cjs --json '{"message":"a"}' --input '{}'`, 2, '', '--input and --json both'],
    [`call echo tools.cjs --input '[1]' --count 7`, 2, '', 'is not a JSON object'],
  ])
})

test('typed lines: keep apart what is named like an option of Toolscope', async ({ expectLines }) => {
  await expectLines([
    ['call own tools.cjs -- -- --input text --yes', 0, { input: 'text', yes: true }],
    ['call own node -- tools.cjs -- --input text --json x', 0, { input: 'text', json: 'x' }],
    ['call own tools.cjs --input text', 2, '', 'not JSON'],
    ['call echo tools.cjs -- -- --message --force', 2, '', '--message needs a value'],
    // The short options are Toolscope's too: they are not the value of the flag before them.
    ['call echo tools.cjs --message hi --force -e A=b', 0, { message: 'hi', force: true }],
    ['call echo tools.cjs --message hi --force -H "A: Bearer s"', 0, { message: 'hi', force: true }],
    ['call echo npx --package x', 2, '', 'npx needs a program to run'],
    ['call echo npx -y pkg', 2, '', `unknown option '-y'`],
  ])
})

test('typed lines: an example of help runs as it is printed', async ({ expectLines, folder }) => {
  const readExample = async (tool: string) => {
    const { stdout } = await runCommandLine(['help', tool, 'tools.cjs'], { directory: folder })
    return /^Example: toolscope (.*)$/m.exec(stdout)?.[1] ?? ''
  }
  await expectLines([])
  expect(await readExample('echo')).toBe(`call echo ${join(folder, 'tools.cjs')} --message text`)
  await expectLines([
    [await readExample('echo'), 0, { message: 'text' }],
    [await readExample('own'), 0, { input: 'text' }],
  ])
})

test('typed lines: list and help with --json in any place', async ({ expectLines }) => {
  await expectLines([
    ['list --json m.json', 0, '"inputSchema"'],
    ['list m.json --json', 0, '"inputSchema"'],
    [`list m.json --json '{"query":"nothing like it"}'`, 0, '"tools": []'],
    ['list --json @list.json', 2, '', 'there is no file'],
    ['list --json - ', 0, '"m/echo"', '', '{"sources":["m.json"]}'],
    ['list --json 7', 2, '"error"', 'list: the input'],
    [`list --json '{"sources":["m.json"]'`, 2, '"error"', 'is not JSON'],
    ['help --json echo m.json', 0, '"input_schema"'],
    ['help echo m.json', 0, 'Usage: echo [--config <json|key=value...>] [--count <integer>]'],
    ['help echo m.json', 0, '[--lang en|de] --message <string>'],
    [
      'help own tools.cjs',
      0,
      'tools.cjs -- -- --input <string> [--json <string>] [--yes <boolean>]\nExample: ',
    ],
    ['help echo tools.cjs', 0, '\n  --message  What to say\n'],
    // bash has a command echo, so a script needs another name for the tool.
    ['help echo tools.cjs', 0, '\nIn a script its command is tools_echo.\n'],
    ['help tools_echo tools.cjs', 0, 'echo - Echo the input\nUsage: toolscope call echo '],
    ['help --list tools.cjs', 0, /^echo {17}Echo the input$/m],
    ['help open tools.cjs', 0, 'Usage: toolscope call open '],
    ['help nothing tools.cjs', 2, '', 'toolscope help --list SOURCE names the tools'],
    ['help ech tools.cjs', 2, '', 'Did you mean echo'],
  ])
})

test('typed lines: explain a mistake and exit with its code', async ({ expectLines }) => {
  await expectLines([
    ['call own tools.cjs --input text', 2, '', 'toolscope call TOOL SOURCE -- -- --input'],
    ['call echo tools.cjs --mesage hi', 2, '', 'unknown option --mesage; did you mean --message?'],
    ['call echo tools.cjs --message hi --config.dept 1', 2, '', 'did you mean --config.depth?'],
    ['call echo tools.cjs --message hi --require-vali', 2, '', 'did you mean --require-valid?'],
    ['call echo tools.cjs --message', 2, '', '--message needs a value'],
    ['call echo tools.cjs --message hi --force x', 2, '', '"x" follows it'],
    ['call ech tools.cjs --message hi', 2, '', 'did you mean "echo"?'],
    ['call --mesage hi echo tools.cjs', 2, '', `unknown option '--mesage'`],
    ['call echo --message hi', 2, '', '"hi" was read as the value of --message'],
    ['call echo tool.cjs --message hi', 3, '', 'tool.cjs'],
    ['call echo missing/tools.cjs --message hi', 3, '', 'missing/tools.cjs'],
    [`call echo tools.cjs --input '{"message":'`, 2, '', 'The input is not JSON: line 1'],
    ['call echo tools.cjs --input @cut.json', 2, '', 'The input is not JSON: line 1'],
    ['call echo tools.cjs --input @none.json', 2, '', 'there is no file'],
    ['call echo cut.json --message hi', 3, '', 'Invalid JSON at line 1'],
    ['call echo tools.cjs message=hi', 3, '', `--input '{"message":"hi"}'`],
    ['list tools.cjs --querry x', 2, '', 'Did you mean --query?'],
  ])
})
