/**
 * Set-up of the tests of server/ (vite.config.ts): they start the built program and its threads, which must not be
 * older than the sources. Builds dist/server where it is.
 */
import { execFileSync } from 'node:child_process'
import { serverIsCurrent } from './build-state.mjs'
import { project } from './project.mjs'

export function setup() {
  if (serverIsCurrent()) return
  execFileSync(
    process.execPath,
    [project('node_modules/vite/bin/vite.js'), 'build', '--ssr', '--logLevel', 'warn'],
    {
      cwd: project(),
      stdio: 'inherit',
    },
  )
}
