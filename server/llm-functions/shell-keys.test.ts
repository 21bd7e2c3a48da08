import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callAndWait, toolNamed } from '../sources/testkit.ts'
import { isolateTemporaryFolder } from '../testing/temporary-folder.ts'
import { refuseKeys } from './refuse-program.ts'
import { entry, makeTree, openTree, outputsLeft } from './testkit.ts'

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

const node = (code: string) => `#!/usr/bin/env node\nconst fs = require('node:fs')\n${code}\n`

describe('shell keys', () => {
  /** As llm-functions' own runner does it: keys become words of a command line that `eval` reads. */
  const runner = `#!/usr/bin/env bash
args="$(node -e 'for (const [k, v] of Object.entries(JSON.parse(process.argv[1]))) console.log("--" + k + " " + JSON.stringify(v))' "$1" | tr '\\n' ' ')"
eval "true $args"
echo done > "$LLM_OUTPUT"
`
  const hostile = [
    '{"a;touch x": 1}',
    '{"a": 1, "$(touch x)": 1}',
    '{"__proto__": 1}',
    '{"constructor": 1}',
    '{"a": {"b;touch x": 1}}',
    '{"list": [[{"c`touch x`": 1}]]}',
    '{"deep": {"__proto__": {"x": 1}}}',
    '[{"a;touch x": 1}]',
    '"a;touch x"',
    'null',
  ]
  const properties = {
    a: { type: 'string' },
    list: { type: 'array', items: { type: 'array', items: { type: 'object', properties: {} } } },
    deep: { type: 'object', properties: { x: {} } },
    'b;touch x': { type: 'string' },
  }
  const tree = (script: string, more: object = {}) =>
    makeTree({ 'functions.json': [entry('it', properties)], 'bin/it': script, ...more })

  test('of hostile input run a command in a runner like the real one', () => {
    const root = tree(runner)
    spawnSync(join(root, 'bin/it'), ['{"a;touch x": 1}'], {
      cwd: root,
      env: { ...process.env, LLM_OUTPUT: join(root, 'out') },
    })
    expect(existsSync(join(root, 'x'))).toBe(true)
  })

  test.each([
    ['a Bash tool', runner, {}],
    [
      'a tool whose language is not known',
      runner.replace('#!/usr/bin/env bash', '#!/usr/bin/env -S bash -e'),
      {},
    ],
    [
      'a JavaScript program next to a Bash source',
      node("require('node:fs').writeFileSync('ran', '')"),
      { 'tools/it.sh': '# @describe It\n' },
    ],
  ])('of hostile input are never passed to %s', async (_kind, script, more) => {
    const root = tree(script, more)
    const session = await openTree(root)
    const tool = await toolNamed(session, 'it')
    for (const input of [...hostile, '{"b;touch x": "declared, and yet"}']) {
      const { ending, events } = await callAndWait(session, tool, input)
      expect({ input, ending }).toMatchObject({
        ending: { type: 'failure', reason: 'spawn', message: expect.stringMatching(/^Not called: /) },
      })
      expect(events).toHaveLength(1)
    }
    expect(existsSync(join(root, 'x')) || existsSync(join(root, 'ran'))).toBe(false)
    expect(outputsLeft()).toEqual([])
    if (script === runner)
      expect((await callAndWait(session, tool, { a: 'fine' })).ending).toMatchObject({ raw: 'done\n' })
  })

  test('of hostile input are never passed to an agent in Bash', async () => {
    const root = makeTree({
      'agents/todo/functions.json': [entry('add', { a: {} }, { agent: true })],
      'bin/todo': runner.replaceAll('"$1"', '"$2"'),
    })
    expect((await call(root, 'todo add', '{"a;touch x": 1}')).ending).toMatchObject({ reason: 'spawn' })
    expect(existsSync(join(root, 'x'))).toBe(false)
    expect((await call(root, 'todo add', { a: 'b' })).ending).toMatchObject({ type: 'result' })
  })

  test('in the name of a function are not passed to an agent in Bash', async () => {
    const name = "add'; touch x; '"
    const root = makeTree({
      'agents/todo/functions.json': [entry(name, {}, { agent: true })],
      'bin/todo': '#!/usr/bin/env bash\neval "echo \'$1\'"\n',
    })
    expect((await call(root, `todo ${name}`, {})).ending).toMatchObject({ reason: 'spawn' })
    expect(existsSync(join(root, 'x'))).toBe(false)
  })

  test('are passed to JavaScript, which does not evaluate them', async () => {
    const root = tree(node('fs.writeFileSync(process.env.LLM_OUTPUT, process.argv[2])'))
    expect((await call(root, 'it', { 'a;touch x': 1 })).ending).toMatchObject({
      structuredContent: { 'a;touch x': 1 },
    })
  })
})

test('refuseKeys: accepts only declared, plain keys, for any input', () => {
  const schema = { type: 'object', properties: { a: {}, list: { items: { properties: { b: {} } } } } }
  const allowed = (value: unknown, at: 'root' | 'list' | 'none'): boolean => {
    if (Array.isArray(value)) return value.every(item => allowed(item, at === 'list' ? 'list' : 'none'))
    if (typeof value !== 'object' || value === null) return true
    const keys = at === 'root' ? ['a', 'list'] : at === 'list' ? ['b'] : []
    return Object.entries(value).every(
      ([key, part]) => keys.includes(key) && allowed(part, key === 'list' ? 'list' : 'none'),
    )
  }
  const key = fc.oneof(
    fc.constantFrom('a', 'b', 'list', '__proto__', 'constructor', 'a;b', 'toString'),
    fc.string(),
  )
  const value = fc.letrec(tie => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.string(),
      fc.integer(),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(key, tie('any'), { maxKeys: 3 }),
    ),
  })).any
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 4 }), input => {
      const parsed: unknown = JSON.parse(JSON.stringify(input))
      const listIsObject =
        typeof parsed === 'object' && parsed !== null && 'list' in parsed && !Array.isArray(parsed.list)
      // An object where a list is declared has no declared keys at all.
      if (!listIsObject) expect(refuseKeys(parsed, schema) === null).toBe(allowed(parsed, 'root'))
    }),
    { numRuns: 1_000 },
  )
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level++) deep = [deep]
  expect(refuseKeys({ a: deep }, schema)).toBeNull()
})
