/** What `npm pack` makes works where it is installed, without the project around it. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { project } from '../scripts/project.mjs'
import { expect, test } from './support/toolscope.ts'

test('the packed program installs elsewhere, lists and calls', async ({ folder }) => {
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  // The build stands already; packing is what is tested.
  npm('pack', project('.'), '--ignore-scripts', '--pack-destination', folder)
  const tarball = readdirSync(folder).find(name => name.endsWith('.tgz')) ?? ''
  npm('init', '-y')
  npm('install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball))
  const bin = join(folder, 'node_modules', '.bin', 'toolscope')
  const installed = join(folder, 'node_modules', 'toolscope')
  const run = (...args: string[]) => execFileSync(bin, args, { cwd: folder, encoding: 'utf8' })
  expect(run('--version').trim()).toMatch(/^\d+\.\d+\.\d+$/)
  const acme = join(installed, 'examples', 'acme', 'acme.mjs')
  expect(run('list', 'node', '--', acme)).toContain('acme/api greet')
  expect(run('call', 'api greet', 'node', '--input', '{"name":"Ada"}', '--', acme)).toContain('Ada')
  expect(readdirSync(join(installed, 'dist', 'page'))).toContain('index.html')
  expect(readdirSync(installed)).not.toContain('server')
})
