/**
 * Set-up of the tests of server/ (vite.config.ts), which start the built program and its threads. Builds dist/server
 * again if it is older than the sources.
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
