/**
 * `npm start`: builds what is not built, then serves the examples. Passes its arguments to `toolscope`
 * (`npm start -- --no-open`).
 */
import { spawn, spawnSync } from 'node:child_process'
import { buildIsCurrent } from './build-state.mjs'
import { project } from './project.mjs'

if (!buildIsCurrent()) {
  console.error('Building Toolscope (once; about half a minute) …')
  const { status } = spawnSync('npm', ['run', '--silent', 'build', '--', '--logLevel', 'warn'], {
    cwd: project(),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const args = [project('dist/server/main.js'), 'serve', '--config', project('examples/toolscope.json')]
const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', code => process.exit(code ?? 1))
