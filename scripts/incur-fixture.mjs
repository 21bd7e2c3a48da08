/**
 * The real incur, for the tests of its programs. It says that it wants Node 22 and runs on 20: as a dependency of ours it
 * would make `npm ci` print a warning, so it is installed for the tests alone, from a lock of its own.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { project } from './project.mjs'

const fixture = project('server/sources/fixtures/incur')
const folder = project('node_modules/.cache/toolscope-incur')
const lockOf = path => readFileSync(`${path}/package-lock.json`, 'utf8')

/** A program made with incur. */
export const incurProgram = `${folder}/incur-program.mjs`
/** incur's own command line, which is made with incur too. */
export const incurItself = `${folder}/node_modules/incur/dist/cli/index.js`

/** Why the tests of incur are skipped where it could not be installed. */
export const incurMissing = 'incur is not installed: the npm registry could not be reached'

export function isIncurInstalled() {
  return existsSync(incurItself) && lockOf(folder) === lockOf(fixture)
}

/** Installs it where its lock has changed. Without a registry it prints why, and the tests of incur are skipped. */
export function installIncur() {
  const wasInstalled = existsSync(folder) && isIncurInstalled()
  if (!wasInstalled) rmSync(folder, { recursive: true, force: true })
  cpSync(fixture, folder, { recursive: true })
  if (wasInstalled) return
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) console.warn(`NOTICE: ${incurMissing}. Its tests are skipped.`)
}
