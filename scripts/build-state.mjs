import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { project } from './project.mjs'

const inputs = [
  'core',
  'server',
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
]

/** Whether dist/ holds all builds, and nothing that goes into them has changed since. */
export function buildIsCurrent() {
  const built = ['dist/page/index.html', 'dist/server/main.js', 'dist/export/favicon.svg'].map(path =>
    statSync(project(path), { throwIfNoEntry: false }),
  )
  if (built.includes(undefined)) return false
  const oldest = Math.min(...built.map(status => status.mtimeMs))
  return inputs.every(path => newest(project(path)) <= oldest)
}

function newest(path) {
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined) return 0
  if (!status.isDirectory()) return status.mtimeMs
  return Math.max(0, ...readdirSync(path).map(name => newest(join(path, name))))
}
