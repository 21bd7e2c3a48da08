import { expect, it } from 'vitest'
import { deniedCommandsScript } from './no-files.ts'
import { canStream, usesExitCodes } from './sandbox-run.ts'

it.each([
  ['api_greet || echo no', false],
  ['api_greet; echo $?', true],
  ['set -euo pipefail\napi_greet', true],
  ['echo $PIPESTATUS', true],
  ['t --dry-run --a 1 && t --a 1', true],
])('usesExitCodes: sees whether %j tells exit codes apart (%s)', (script, expected) => {
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
])('canStream: sees whether the live output of %j can be trusted (%s)', (script, expected) => {
  expect(canStream(script, false)).toBe(expected)
})

it('canStream: does not trust a pipe of a wrapped command', () => {
  expect(canStream('t | jq .', true)).toBe(false)
  expect(canStream('t; echo over', true)).toBe(true)
})

it('deniedCommandsScript: does not deny a command that a tool already has', () => {
  const script = deniedCommandsScript(['cat'])
  expect(script).toMatch(/^ls\(\) \{/m)
  expect(script).not.toMatch(/^cat\(\) \{/m)
})
