import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { project } from './project.mjs'

const serverInputs = ['core', 'server', 'vite.config.ts', 'package.json', 'package-lock.json']
const inputs = [...serverInputs, 'src', 'public', 'index.html']

/** Whether dist/ contains all builds, and none of their inputs has changed since. */
export function buildIsCurrent() {
  return isCurrent(['dist/page/index.html', 'dist/server/main.js', 'dist/export/favicon.svg'], inputs)
}

/** Whether dist/server contains the program and its threads, and none of their inputs has changed since. */
export function serverIsCurrent() {
  return isCurrent(['dist/server/main.js', 'dist/server/validation-worker.js'], serverInputs)
}

function isCurrent(outputs, from) {
  const built = outputs.map(path => statSync(project(path), { throwIfNoEntry: false }))
  if (built.includes(undefined)) return false
  const oldest = Math.min(...built.map(status => status.mtimeMs))
  return from.every(path => newest(project(path)) <= oldest)
}

const isForTests = /\.test\.tsx?$|testkit\.ts$|^(?:testing|fixtures)$/

function newest(path) {
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined) return 0
  if (!status.isDirectory()) return status.mtimeMs
  const built = readdirSync(path).filter(name => !isForTests.test(name))
  return Math.max(0, ...built.map(name => newest(join(path, name))))
}
