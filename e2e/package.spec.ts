/** What `npm pack` makes works where it is installed, without the project around it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { project } from '../scripts/project.mjs'
import { expect, test } from './support/toolscope.ts'

test('package: installs elsewhere within its size, lists, calls, compares and runs scripts', async ({
  folder,
}) => {
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  // The build stands already; packing is what is tested.
  npm('pack', project('.'), '--ignore-scripts', '--pack-destination', folder)
  const tarball = readdirSync(folder).find(name => name.endsWith('.tgz')) ?? ''
  expect(statSync(join(folder, tarball)).size).toBeLessThan(9 * 2 ** 20)
  npm('init', '-y')
  npm('install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball))
  const bin = join(folder, 'node_modules', '.bin', 'toolscope')
  const installed = join(folder, 'node_modules', 'toolscope')
  const run = (...args: string[]) => execFileSync(bin, args, { cwd: folder, encoding: 'utf8' })
  expect(run('--version').trim()).toMatch(/^\d+\.\d+\.\d+$/)
  const acme = join(installed, 'examples', 'acme', 'acme.mjs')
  expect(run('list', 'node', '--', acme)).toContain('acme/api greet')
  expect(run('call', 'api greet', 'node', '--input', '{"name":"Ada"}', '--', acme)).toContain('Ada')
  const greet = { name: 'greet', inputSchema: { type: 'object', properties: { name: { type: 'string' } } } }
  for (const [name, tools] of [
    ['old.json', [greet]],
    ['new.json', []],
  ] as const)
    writeFileSync(join(folder, name), JSON.stringify({ tools }))
  expect(run('diff', 'old.json', 'new.json', '--fail-on', 'none')).toContain('greet: tool removed')
  writeFileSync(join(folder, 'hi.sh'), 'echo hi | tr a-z A-Z\n')
  expect(run('script', 'hi.sh', 'node', '--', acme)).toContain('HI')
  expect(readdirSync(installed)).not.toContain('server')

  // What a user installs: docs/decisions/033-program-in-one-bundle.md. npm installs both native parts of libsql for Linux (10 MB each).
  const packages = npm('ls', '--all', '--parseable').trim().split('\n').length - 1
  expect(packages).toBeLessThanOrEqual(20)
  expect(folderSize(join(folder, 'node_modules'))).toBeLessThan(56 * 2 ** 20)
})

test('package: contains no compressed copy of a file and no WebAssembly of the script engine', async ({
  folder,
}) => {
  execFileSync('npm', ['pack', project('.'), '--ignore-scripts', '--pack-destination', folder], {
    stdio: 'pipe',
  })
  const tarball = readdirSync(folder).find(name => name.endsWith('.tgz')) ?? ''
  const names = execFileSync('tar', ['-tzf', join(folder, tarball)], { encoding: 'utf8' })
  expect(names).toContain('package/dist/page/index.html')
  expect(names).not.toMatch(/\.(?:wasm|br|gz)\n/)
})

/** Bytes of the files below a folder. */
function folderSize(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
