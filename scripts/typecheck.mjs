/** Checks each room with its own tsconfig: core/ without Node and DOM, server/ without DOM, src/ without Node. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// One checker: each additional one computes the shared types again, and costs half as much more.
const args = ['--pretty', 'false', '--checkers', '1']
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
let failed = false
for (const room of ['core', 'server', 'src', '.']) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', room, ...args], { stdio: 'inherit' })
  failed ||= status !== 0
}
process.exit(failed ? 1 : 0)
