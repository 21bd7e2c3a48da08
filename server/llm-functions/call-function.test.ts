import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { callAndWait, toolNamed } from '../sources/testkit.ts'
import { isolateTemporaryFolder } from '../testing/temporary-folder.ts'
import { copyExample, entry, makeTree, openTree, outputsLeft } from './testkit.ts'

isolateTemporaryFolder()

async function call(
  root: string,
  name: string,
  input: unknown,
  more: { environment?: Record<string, string>; options?: Parameters<typeof callAndWait>[3] } = {},
) {
  const session = await openTree(root, more.environment)
  return callAndWait(session, await toolNamed(session, name), input, more.options)
}

/** A tree with one tool, `it`, whose program is `script`. */
const one = (script: string, more: Record<string, unknown> = {}) =>
  makeTree({ 'functions.json': [entry('it', { a: {}, b: {} })], 'bin/it': script, ...more })

const node = (code: string) => `#!/usr/bin/env node\nconst fs = require('node:fs')\n${code}\n`
const write = (text: string) => node(`fs.writeFileSync(process.env.LLM_OUTPUT, ${JSON.stringify(text)})`)

describe('call of an example function', () => {
  test('in JavaScript returns JSON as a result and stderr as a log', async () => {
    const { ending, stderr } = await call(copyExample(), 'convert_units', { amount: 3, from: 'km', to: 'm' })
    expect(ending).toEqual({
      type: 'result',
      content: [],
      structuredContent: { amount: 3000, unit: 'm', kind: 'length' },
      raw: '{\n  "amount": 3000,\n  "unit": "m",\n  "kind": "length"\n}',
      exitCode: 0,
    })
    expect(stderr).toBe('1 km is 1000 m\n')
  })

  test('in JavaScript fails with the message of the error', async () => {
    const { ending } = await call(copyExample(), 'convert_units', { amount: 3, from: 'km', to: 'kg' })
    expect(ending).toMatchObject({
      type: 'failure',
      reason: 'exit',
      message: 'Error: km cannot be turned into kg',
      exitCode: 1,
    })
  })

  test('in Python returns what it prints as a log', async () => {
    const { ending, stdout } = await call(copyExample(), 'word_stats', { text: 'b a b', order: 'word' })
    expect(ending).toMatchObject({
      structuredContent: {
        words: 3,
        counts: [
          { word: 'a', count: 1 },
          { word: 'b', count: 2 },
        ],
      },
    })
    expect(stdout).toBe('3 words read\n')
  })

  test.each([
    [
      { text: 'a', size: 1 },
      "run() got an unexpected keyword argument 'size'",
      '/size',
      'additionalProperties',
    ],
    [{}, "run() missing 1 required positional argument: 'text'", '/text', 'required'],
  ])('in Python with %j fails and names the place in the input', async (input, words, path, keyword) => {
    const { ending } = await call(copyExample(), 'word_stats', input)
    expect(ending).toMatchObject({
      type: 'failure',
      reason: 'exit',
      message: `TypeError: ${words}`,
      issues: [{ path, keyword }],
      stderr: expect.stringContaining('Traceback (most recent call last)'),
    })
  })

  test('in Bash returns text as a result', async () => {
    const root = copyExample()
    const { ending } = await call(root, 'largest_files', {
      folder: join(root, 'tools'),
      limit: 1,
      hidden: true,
    })
    expect(ending).toMatchObject({
      type: 'result',
      content: [{ type: 'text', text: expect.stringMatching(/^\d+ .*\n$/) }],
    })
  })

  test('of an agent passes its variables with defaults, and keeps its memory', async () => {
    const root = copyExample()
    const options = { variables: { owner: 'Ada' } }
    const { ending } = await call(root, 'garden add_plant', { name: 'Peas', bed: 1 }, { options })
    expect(ending).toMatchObject({ raw: 'Peas grows in bed 1 of Ada’s garden in Bergen.' })
    expect((await call(root, 'garden list_plants', {})).ending).toMatchObject({
      structuredContent: [{ name: 'Peas', bed: 1 }],
    })
    expect((await call(root, 'garden clear_garden', {})).ending).toEqual({
      type: 'result',
      content: [],
      note: 'Done, without output.',
      exitCode: 0,
    })
  })
})

test('call of a function: passes variables to an own tool with defaults, and to a shared tool unchanged', async () => {
  const show =
    'const v = Object.entries(process.env).filter(([k]) => /AGENT_VAR|ODD/.test(k)); fs.writeFileSync(process.env.LLM_OUTPUT, JSON.stringify(Object.fromEntries(v)))'
  const root = makeTree({
    'agents/a/index.yaml': 'variables: [{name: open-hours, default: 9-17}, {name: city}]',
    'agents/a/functions.json': [entry('own', {}, { agent: true }), entry('shared')],
    'bin/a': node(show),
    'bin/shared': node(show),
  })
  const options = { variables: { city: 'Oslo\0!', 'ODD=1': 'x', other: 'y' } }
  expect((await call(root, 'a own', {}, { options })).ending).toMatchObject({
    structuredContent: { LLM_AGENT_VAR_OPEN_HOURS: '9-17', LLM_AGENT_VAR_CITY: 'Oslo!' },
  })
  expect((await call(root, 'shared', {}, { options })).ending.structuredContent).toEqual({
    LLM_AGENT_VAR_CITY: 'Oslo!',
    LLM_AGENT_VAR_OTHER: 'y',
  })
})

describe('result of a function', () => {
  test('is text when it is not valid JSON, and stdout stays a log', async () => {
    const { ending, stdout } = await call(one(`${write('not {json')}console.log('42')`), 'it', {})
    expect(ending).toEqual({
      type: 'result',
      content: [{ type: 'text', text: 'not {json' }],
      raw: 'not {json',
      exitCode: 0,
    })
    expect(stdout).toBe('42\n')
  })

  test('is empty with a note when only stdout was written', async () => {
    const { ending } = await call(one(node('console.log(42)')), 'it', {})
    expect(ending).toMatchObject({ type: 'result', content: [], note: expect.stringMatching(/in the logs/) })
  })

  test('is kept when the tool fails afterwards', async () => {
    const { ending } = await call(one(`${write('[1]')}process.exit(3)`), 'it', {})
    expect(ending).toMatchObject({
      type: 'failure',
      structuredContent: [1],
      exitCode: 3,
      message: 'exit code 3, nothing on stderr',
    })
  })

  test('shows that it gets the exact input, the directory of the user, and bin/ on the PATH', async () => {
    const script = node(
      `fs.writeFileSync(process.env.LLM_OUTPUT, [process.argv[2], process.cwd(), process.env.PATH].join('\\n'))`,
    )
    const root = one(script)
    const { ending } = await call(root, 'it', '{"a": 12345678901234567890.10, "b": "$(id) `id` \'"}')
    expect(ending.raw?.split('\n')).toEqual([
      '{"a": 12345678901234567890.10, "b": "$(id) `id` \'"}',
      '/',
      expect.stringMatching(new RegExp(`^${root}/bin:`)),
    ])
  })

  test('is cut at 16 MiB', async () => {
    const { ending } = await call(
      one(node("fs.writeFileSync(process.env.LLM_OUTPUT, 'x'.repeat(17 << 20))")),
      'it',
      {},
    )
    expect(ending).toMatchObject({ type: 'failure', reason: 'too-large' })
    expect(ending.raw).toHaveLength(16 << 20)
  })

  test.each([
    ['a link', "fs.rmSync(p); fs.symlinkSync('/etc/passwd', p)"],
    ['nothing', 'fs.rmSync(p)'],
    ['a folder', "fs.rmSync(p); fs.mkdirSync(p); fs.writeFileSync(p + '/x', '')"],
    ['a pipe', "fs.rmSync(p); require('node:child_process').execFileSync('mkfifo', [p])"],
  ])('is empty when the output file is replaced by %s', async (_what, code) => {
    const { ending } = await call(one(node(`const p = process.env.LLM_OUTPUT; ${code}`)), 'it', {})
    expect(ending).toMatchObject({ type: 'result', content: [] })
    expect(ending.raw).toBeUndefined()
    expect(outputsLeft()).toEqual([])
  })
})

describe('failure of a function', () => {
  test('contains all lines of an argc error', async () => {
    const said =
      'error: the following required arguments were not provided:\\n  --location <LOCATION>\\n\\nusage: it'
    const { ending } = await call(one(node(`console.error("${said}"); process.exit(1)`)), 'it', {})
    expect(ending).toMatchObject({
      message:
        'exit code 1: error: the following required arguments were not provided: --location <LOCATION>',
    })
  })

  test('says that a program was not built', async () => {
    const root = makeTree({ 'functions.json': [entry('it')] })
    expect((await call(root, 'it', {})).ending).toMatchObject({
      type: 'failure',
      reason: 'not-found',
      message: 'The tool is declared, but bin/it does not exist.',
      hint: expect.stringContaining('Run the build'),
    })
  })

  test('names the missing target of a link', async () => {
    const root = makeTree({ 'functions.json': [entry('it')], 'bin/other': '' })
    symlinkSync('../scripts/run-tool.sh', join(root, 'bin/it'))
    expect((await call(root, 'it', {})).ending).toMatchObject({
      message: 'bin/it links to ../scripts/run-tool.sh, which does not exist.',
    })
  })

  test('says that argc is not installed, although the exit code is 0', async () => {
    const script = '#!/usr/bin/env bash\neval "$(argc --argc-eval "$0" "$@")"\n'
    const { ending } = await call(one(script), 'it', {})
    expect(ending).toMatchObject({
      type: 'failure',
      reason: 'exit',
      exitCode: 0,
      message: 'The tool needs argc, which is not installed.',
      stderr: expect.stringContaining('argc: command not found'),
    })
  })

  test('names another program that is not installed', async () => {
    const { ending } = await call(one('#!/usr/bin/env bash\nset -e\nno-such-program-here x\n'), 'it', {})
    expect(ending).toMatchObject({
      message: 'The tool needs the program no-such-program-here, which was not found.',
      exitCode: 127,
    })
  })

  test('is a spawn failure for a missing interpreter and for a file that is not executable', async () => {
    expect((await call(one('#!/no/such/interpreter\n'), 'it', {})).ending).toMatchObject({
      reason: 'spawn',
      hint: expect.stringContaining('interpreter'),
    })
    const root = makeTree({ 'functions.json': [entry('it')], 'bin/it': 'x' })
    expect((await call(root, 'it', {})).ending).toMatchObject({
      reason: 'spawn',
      message: expect.stringContaining('EACCES'),
    })
  })

  test('contains the reason when a runner refuses the JSON', async () => {
    const { ending } = await call(
      one('#!/usr/bin/env bash\necho "error: Invalid JSON data" >&2\nexit 1\n'),
      'it',
      {},
    )
    expect(ending).toMatchObject({ message: 'The tool’s runner said: Invalid JSON data.' })
  })

  test('names the limit when the input is too long for one argument', async () => {
    // `{"a":"…"}` around it.
    const most = 131_071 - 8
    expect((await call(one(write('1')), 'it', { a: 'x'.repeat(most) })).ending.type).toBe('result')
    const { ending } = await call(one(write('1')), 'it', { a: 'x'.repeat(most + 1) })
    expect(ending).toMatchObject({ reason: 'spawn', message: expect.stringContaining('131,071') })
  })

  test.each(['../bin/it', '..', '.', 'a/b', '-x y'].map(name => [name]))(
    'is "not-found" for the tool name %j',
    async name => {
      const root = one(write('1'), { 'functions.json': [entry(name)] })
      expect((await call(root, name, {})).ending).toMatchObject({ type: 'failure', reason: 'not-found' })
    },
  )

  test('cannot come from an entry with an empty name, which is reported and is not a tool', async () => {
    const root = one(write('1'), { 'functions.json': [entry('')] })
    const { tools, problems } = await (await openTree(root)).manifest(new AbortController().signal)
    expect(tools).toEqual([])
    expect(problems).toMatchObject([{ name: '', message: expect.stringContaining('a name that is empty') }])
  })
})

describe('cleanup after a function', () => {
  const sleeper = `#!/usr/bin/env bash
trap '' TERM
echo partial > "$LLM_OUTPUT"
sleep 61.5 & echo $! >&2
while :; do sleep 0.1; done
`
  test.each([
    ['cancelled', () => ({ signal: AbortSignal.timeout(700) })],
    ['timeout', () => ({ timeoutMs: 700 })],
  ])(
    'that is ended by %s leaves no process and no file, and what it wrote is kept',
    async (reason, options) => {
      const { ending, stderr } = await call(one(sleeper), 'it', {}, { options: options() })
      expect(ending).toMatchObject({
        type: 'failure',
        reason,
        content: [{ type: 'text', text: 'partial\n' }],
      })
      expect(isAlive(Number(stderr.trim()))).toBe(false)
      expect(outputsLeft()).toEqual([])
    },
  )

  test('whose caller stops reading leaves no file', async () => {
    const session = await openTree(one(node("console.log('x'); setTimeout(() => {}, 300)")))
    const tool = await toolNamed(session, 'it')
    const abort = new AbortController()
    const run = session.call?.(tool, { text: '{}', value: {} }, { signal: abort.signal, timeoutMs: 9_000 })
    for await (const _event of run ?? []) break
    abort.abort()
    expect(outputsLeft()).toEqual([])
  })

  test('that runs twenty times at once leaves no file, and each call has its own file', async () => {
    const session = await openTree(
      one(node('fs.writeFileSync(process.env.LLM_OUTPUT, JSON.parse(process.argv[2]).a)')),
    )
    const tool = await toolNamed(session, 'it')
    const endings = await Promise.all(
      Array.from({ length: 20 }, (_, index) => callAndWait(session, tool, { a: `call ${index}` })),
    )
    expect(endings.map(({ ending }) => ending.raw)).toEqual(endings.map((_, index) => `call ${index}`))
    expect(outputsLeft()).toEqual([])
  })
})

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
