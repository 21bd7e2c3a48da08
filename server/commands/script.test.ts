/** `toolscope script`, as a user of the built program meets it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { project } from '../../scripts/project.mjs'
import { acme } from '../../scripts/toolscope-program.ts'
import { runCommandLine } from './testkit.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-script-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const garden = project('examples/functions')

const toolscope = (words: readonly string[], input = '', environment: NodeJS.ProcessEnv = {}) =>
  runCommandLine(['script', ...words], { directory: folder, input, environment })

it('toolscope script: runs a file, prints its output and exits with its code', async () => {
  writeFileSync(join(folder, 'greet.sh'), 'api_greet --name Ada | jq -r .greeting\napi_greet\nexit 7\n')
  const { stdout, stderr, code } = await toolscope(['greet.sh', acme])
  expect(stdout).toMatch(/^Good day, Ada/)
  expect(stderr).toBe("api_greet: schema error: required property 'name' is missing\n")
  expect(code).toBe(7)
})

it('toolscope script: reads the script from stdin, and writes the trace as JSON lines', async () => {
  const { stdout, code } = await toolscope(
    ['-', acme, '--trace', 'trace.jsonl'],
    'for n in a b; do api_greet --name $n; done | wc -l; ops_rollback --release r-1 --reason "trying it out" || echo handled',
  )
  expect(code).toBe(0)
  expect(stdout).toMatch(/handled\n$/)
  const lines = readFileSync(join(folder, 'trace.jsonl'), 'utf8').trim().split('\n')
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { id: 1, command: 'api_greet', status: 'result', verdict: 'valid' },
    { id: 2, command: 'api_greet', status: 'result' },
    { id: 3, command: 'ops_rollback', status: 'failure', exitCode: 1 },
  ])
})

it('toolscope script: prints one document with --json', async () => {
  const { stdout, code } = await toolscope(
    ['-', acme, '--json'],
    'api_greet --name Ada; echo bad >&2; exit 4',
  )
  const document = JSON.parse(stdout)
  expect(document).toMatchObject({ stderr: 'bad\n', exitCode: 4, ending: 'finished' })
  expect(JSON.parse(document.stdout)).toHaveProperty('greeting')
  expect(document.trace).toHaveLength(1)
  expect(code).toBe(4)
})

it('toolscope script: refuses a script with a tool that needs a confirmation, unless --allow-destructive is given', async () => {
  const confirm = { LLM_MCP_NEED_CONFIRM: '^clear_.*' }
  const refused = await toolscope(['-', garden], 'echo begun; garden_clear_garden', confirm)
  expect(refused).toMatchObject({ stdout: '', code: 2 })
  expect(refused.stderr).toContain('--allow-destructive')
  const allowed = await toolscope(
    ['-', garden, '--allow-destructive'],
    'garden_clear_garden --dry-run',
    confirm,
  )
  expect(allowed.stdout).toContain('"valid":true')
})

it('toolscope script: --timeout ends a script that does not end by itself', async () => {
  const { stderr, code } = await toolscope(['-', acme, '--timeout', '1500ms'], `jq -n 'def f: f; f'`)
  expect(code).toBe(124)
  expect(stderr).toContain('took longer than 1.5 s')
})

it('toolscope script: names the missing script file', async () => {
  const { stderr, code } = await toolscope(['nope.sh', acme])
  expect(code).toBe(2)
  expect(stderr).toContain('nope.sh')
})
