/** Checks each room with its own tsconfig: core/ without Node and DOM, server/ without DOM, src/ without Node. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
let failed = false
for (const room of ['core', 'server', 'src', '.']) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', room, '--pretty', 'false'], { stdio: 'inherit' })
  failed ||= status !== 0
}
process.exit(failed ? 1 : 0)
