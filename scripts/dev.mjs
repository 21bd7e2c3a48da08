/** `npm run dev`: rebuilds page and server as files change, and restarts the program on the examples. */
import { spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { project } from './project.mjs'

const children = new Set()

function start(file, args) {
  const child = spawn(file, args, { cwd: project(), stdio: 'inherit' })
  children.add(child)
  child.on('exit', () => children.delete(child))
  return child
}

start('npx', ['vite', 'build', '--watch', '--logLevel', 'warn'])
start('npx', ['vite', 'build', '--ssr', '--watch', '--logLevel', 'warn'])

let server
let timer
function restart() {
  clearTimeout(timer)
  timer = setTimeout(() => {
    server?.kill('SIGTERM')
    const config = project('examples/toolscope.json')
    server = start(process.execPath, [
      project('dist/server/main.js'),
      'serve',
      '--no-open',
      '--config',
      config,
    ])
  }, 500)
}

const waiting = setInterval(() => {
  if (!existsSync(project('dist/server/main.js')) || !existsSync(project('dist/page/index.html'))) return
  clearInterval(waiting)
  watch(project('dist/server'), restart)
  restart()
}, 300)

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of children) child.kill('SIGTERM')
    process.exit(0)
  })
