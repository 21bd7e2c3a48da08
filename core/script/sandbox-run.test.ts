import { expect, it } from 'vitest'
import { deniedCommandsScript } from './no-files.ts'
import { canStream, usesExitCodes } from './sandbox-run.ts'

it.each([
  ['api_greet || echo no', false],
  ['api_greet; echo $?', true],
  ['set -euo pipefail\napi_greet', true],
  ['echo $PIPESTATUS', true],
  ['t --dry-run --a 1 && t --a 1', true],
])('sees whether %j tells exit codes apart', (script, expected) => {
  expect(usesExitCodes(script)).toBe(expected)
})

it.each([
  ['t --a 1 | jq .a', true],
  ['for i in 1 2; do t --a $i; done', true],
  ['x=$(t | jq .a); echo "$x"', true],
  ['a || b', true],
  // The engine tells the output of these before the pipe, file or substitution that it goes into.
  ['for i in 1 2; do echo $i; done | tr 1 2', false],
  ['f() { echo a; }; x=$(f)', false],
  ['{ echo a; } > /tmp/f', false],
  ['eval "echo a" | cat', false],
])('sees whether the live output of %j can be believed', (script, expected) => {
  expect(canStream(script, false)).toBe(expected)
})

it('believes no pipe of a wrapped command', () => {
  expect(canStream('t | jq .', true)).toBe(false)
  expect(canStream('t; echo over', true)).toBe(true)
})

it('defines no command that a tool already has as one that is not found', () => {
  const script = deniedCommandsScript(['cat'])
  expect(script).toMatch(/^ls\(\) \{/m)
  expect(script).not.toMatch(/^cat\(\) \{/m)
})
