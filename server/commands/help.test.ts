/** `toolscope help` and `toolscope discover`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { acme } from '../../scripts/toolscope-program.ts'
import { test as base } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

type Toolscope = (...args: string[]) => ReturnType<typeof runCommandLine>

/** Runs a command line in the folder of the test. */
const test = base.extend<{ run: Toolscope }>({
  run: ({ folder }, use) => use((...args) => runCommandLine(args, { directory: folder })),
})

describe('toolscope help', () => {
  test('lists tools, describes one and prints JSON, for named and configured sources', async ({
    folder,
    run,
  }) => {
    const sources = { acme: { command: ['node', acme] } }
    writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
    const list = await run('help', '--trust', '--list')
    expect(list.stdout.split('\n')[0]).toBe('api_greet            Greet someone politely')
    expect(list.stdout.trimEnd().split('\n')).toHaveLength(16)
    expect((await run('help', '--trust', 'acme')).stdout).toBe(list.stdout)
    expect((await run('help', 'node', '--', acme)).stdout).toBe(list.stdout)

    const greet = await run('help', '--trust', 'api_greet')
    expect(greet).toMatchObject({
      code: 0,
      stdout:
        'api_greet - Greet someone politely\nUsage: toolscope call api_greet --name <string>\nExample: toolscope call api_greet --name Ada\n  --name  Whom to greet\n',
    })
    expect((await run('help', 'api greet', 'node', '--', acme)).stdout).toContain(
      `Usage: toolscope call api_greet 'node ${acme}' --name <string>\n`,
    )

    const json = JSON.parse((await run('help', '--trust', 'people_invite', '--json')).stdout)
    expect(Object.keys(json)).toEqual(['description', 'input_schema', 'name'])
    expect(json.input_schema.properties.role.enum).toEqual(['owner', 'maintainer', 'developer', 'auditor'])
  })

  test('rejects an unknown tool like the seed system, with the nearest name', async ({ run }) => {
    const nope = await run('help', 'nope', 'node', '--', acme)
    expect(nope).toMatchObject({ code: 2, stdout: '' })
    expect(nope.stderr.split('\n')[0]).toBe('help: unknown tool: nope')
    const near = await run('help', 'api_gret', 'node', '--', acme)
    expect(near.stderr).toContain('Did you mean api_greet?')
  })

  test('describes its own commands when no source is named', async ({ run }) => {
    const own = await run('help')
    expect(own.code).toBe(0)
    expect(own.stdout).toMatch(/^serve {16}Serve the page/)
    expect((await run('help', 'call')).stdout).toMatch(/^Usage: toolscope call /)
    const { stdout } = await run('help', 'call', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ name: 'call', input_schema: { type: 'object' } })
  })

  test('prints no escape sequences of a source', async ({ folder, run }) => {
    const name = '\u001b[2Jevil'
    const tool = {
      name,
      description: '\u001b]0;owned\u0007 \u009b31m',
      inputSchema: { properties: { [name]: {} } },
    }
    writeFileSync(join(folder, 'm.json'), JSON.stringify({ tools: [tool] }))
    for (const args of [['m.json'], ['_2Jevil', 'm.json'], ['m.json', '--json']]) {
      const { stdout, stderr } = await run('help', ...args)
      expect(stdout).toContain('owned')
      expect(`${stdout}${stderr}`.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    }
  })
})

test('toolscope discover: finds tools by word, category and tag', async ({ run }) => {
  const discover = (...args: string[]) => run('discover', ...args, 'node', '--', acme)
  expect((await discover('--categories')).stdout).toMatch(/^acme \(16 tools\)\napi \(3 tools\)$/m)
  expect((await discover('--search', 'GREET')).stdout).toBe('api_greet            Greet someone politely\n')
  expect(await discover('--search', 'nothing like it')).toMatchObject({ code: 0, stdout: '' })
  expect((await discover('--category', 'people', '--tag', 'typed-output')).stdout).toMatch(/^people_find /)
  const json = await run('discover', '--search', 'GREET', 'node', '--json', '--', acme)
  expect(JSON.parse(json.stdout)).toMatchObject({ tools: [{ name: 'api_greet' }] })
  expect((await discover()).code).toBe(2)
  const words = await run('discover', 'greet people')
  expect(words.code).toBe(2)
  expect(words.stderr).toContain(`toolscope discover --search 'greet people' SOURCE`)
})
