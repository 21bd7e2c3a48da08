/** What `npm run release` packs, tries where it is installed, and writes. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { test } from '../server/testing/folder-test.ts'
import { project } from './project.mjs'

// It installs the pack twice.
vi.setConfig({ testTimeout: 300_000 })

interface Component {
  readonly name: string
  readonly properties: readonly { readonly name: string; readonly value: string }[]
  readonly 'bom-ref': string
}

test('release: packs, installs and tries the program, writes notes and SBOM, and publishes nothing', ({
  folder,
}) => {
  // An earlier release is replaced, and what else is in its folder stays.
  mkdirSync(join(folder, 'release'))
  for (const name of ['report.json', 'toolscope-0.0.1.tgz', 'mine.txt'])
    writeFileSync(join(folder, 'release', name), '')
  // The build is what the other tests run; packing it is what is tested.
  const args = [project('scripts/release.mjs'), '--no-build', '--out', join(folder, 'release')]
  const printed = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  expect(printed).toContain('Nothing was published. These lines publish:\n  npm publish release/')
  expect(printed.includes('Replace OWNER')).toBe(packageJson.mcpName.includes('OWNER'))
  const pack = `toolscope-${packageJson.version}.tgz`
  expect(readdirSync(join(folder, 'release')).sort()).toEqual([
    'mine.txt',
    'notes.md',
    'report.json',
    'sbom.cdx.json',
    pack,
  ])
  const read = (file: string) => readFileSync(join(folder, 'release', file), 'utf8')

  // What a user installs: docs/decisions/033-program-in-one-bundle.md. npm installs both native parts of libsql for Linux (10 MB each).
  const report = JSON.parse(read('report.json'))
  expect(report.packedBytes).toBeLessThan(9e6)
  expect(report.installedBytes).toBeLessThan(45e6)
  expect(report.packages).toBeLessThanOrEqual(18)
  expect(Object.keys(report.milliseconds)).toEqual([
    'pack',
    'install',
    'global install',
    '--version',
    'first page',
    'first call',
  ])

  const names = execFileSync('tar', ['-tzf', join(folder, 'release', pack)], { encoding: 'utf8' }).split('\n')
  for (const name of ['dist/page/index.html', 'dist/server/licenses.json', 'SKILL.md', 'LICENSE'])
    expect(names).toContain(`package/${name}`)
  // No source, no WebAssembly of the script engine, and nothing compressed but the table that has no other copy.
  expect(names.filter(name => /^package\/(?:server|core|src)\/|\.(?:wasm|br|gz)$/.test(name))).toEqual([
    'package/dist/server/o200k_base.json.br',
  ])

  const notes = read('notes.md')
  const changelog = readFileSync(project('CHANGELOG.md'), 'utf8')
  expect(changelog).toContain(notes)
  expect(notes).not.toMatch(/^## /m)

  const sbom = JSON.parse(read('sbom.cdx.json'))
  expect([sbom.bomFormat, sbom.metadata.component.name]).toEqual(['CycloneDX', 'toolscope'])
  const components: readonly Component[] = sbom.components
  const isBundled = (name: string) =>
    components.find(each => each.name === name)?.properties.some(each => each.name.endsWith(':bundled'))
  // A dependency, what is bundled into the program, the examples and the page, and two that only a developer needs.
  expect(['libsql', 'hono', 'zod', 'commander', 'react', 'vitest', '@biomejs/biome'].map(isBundled)).toEqual([
    false,
    true,
    true,
    true,
    true,
    undefined,
    undefined,
  ])
  const refs = new Set([sbom.metadata.component, ...components].map(each => each['bom-ref']))
  const linked = sbom.dependencies.flatMap((each: { ref: string; dependsOn: string[] }) => [
    each.ref,
    ...each.dependsOn,
  ])
  expect(linked.filter((ref: string) => !refs.has(ref))).toEqual([])
})

test('release: refuses a folder that holds no earlier release, and removes nothing of it', ({ folder }) => {
  writeFileSync(join(folder, 'notes.md'), 'mine')
  const args = [project('scripts/release.mjs'), '--no-build', '--out', folder]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining(`${folder} is not empty`)])
  expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toBe('mine')
})
