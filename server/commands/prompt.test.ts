/** `toolscope prompt` and `toolscope lint`: data on stdout, the rest on stderr, exit codes. */
import { expect, test } from 'vitest'
import { acme as acmeProgram } from '../../scripts/toolscope-program.ts'
import { runCommandLine } from './testkit.ts'

const acme = ['--', acmeProgram]
const toolscope = (...args: readonly string[]) => runCommandLine(args)

test('toolscope prompt and lint: print data on stdout and notes on stderr; lint exits 5 for errors', async () => {
  const printed = await toolscope('prompt', 'node', '--format', 'anthropic', '--tools', 'api greet', ...acme)
  expect(JSON.parse(printed.stdout)[0].name).toBe('api_greet')
  expect(printed.stderr).toContain('o200k_base')

  const failing = await toolscope('lint', 'node', '--client', 'openai', ...acme)
  expect(failing.code).toBe(5)
  expect(failing.stdout).toMatch(/^error {4}openai-name +15 tools {2}A name has/m)
  // The example keeps to MCP's rules, which are the default.
  const byDefault = await toolscope('lint', 'node', ...acme)
  expect(byDefault.code).toBe(0)
  expect(byDefault.stdout).toMatch(/^0 errors, .* in 16 tools, for mcp$/m)
  expect(
    (await toolscope('lint', 'node', '--tools', 'acme/status*', '--client', 'openai,anthropic', ...acme))
      .code,
  ).toBe(0)
  const unknown = await toolscope('lint', 'node', '--client', 'nobody', ...acme)
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('nobody')
})
