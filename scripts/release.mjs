/**
 * `npm run release`: builds, packs, installs the pack into an empty folder, tries it there, writes the notes and the SBOM
 * into `--out` (release/), and stops: publishing is up to a person. `--no-build` packs the build in dist/.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { project } from './project.mjs'

const { values: options } = parseArgs({
  options: { out: { type: 'string', default: project('release') }, 'no-build': { type: 'boolean' } },
})
const out = resolve(options.out)
const readJson = file => JSON.parse(readFileSync(file, 'utf8'))
const { name, version, mcpName } = readJson(project('package.json'))
const heading = readFileSync(project('CHANGELOG.md'), 'utf8')
  .split('\n')
  .find(line => line.startsWith(`## ${version}`))
if (heading === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}"`)

const milliseconds = {}
async function time(step, action) {
  const start = performance.now()
  const result = await action()
  milliseconds[step] = Math.round(performance.now() - start)
  return result
}

const run = (program, args, cwd, env = {}) =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
    maxBuffer: 64 * 2 ** 20,
  })

mkdirSync(out, { recursive: true })
removeEarlierRelease()
if (!options['no-build']) await time('build', () => run('npm', ['run', 'build'], project()))
const licenses = ['dist/server/licenses.json', 'dist/page/licenses.json'].flatMap(readLicenses)
const pack = join(out, `${name}-${version}.tgz`)
await time('pack', () => run('npm', ['pack', project(), '--ignore-scripts', '--pack-destination', out], out))
const folder = mkdtempSync(join(tmpdir(), 'toolscope-release-'))
let installed
try {
  installed = await installPack()
  await tryPack()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
// First, because it marks the folder as one of releases.
const report = { version, packedBytes: statSync(pack).size, ...installed, milliseconds }
writeFileSync(join(out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`)
writeFileSync(join(out, 'notes.md'), readNotes())
writeFileSync(join(out, 'sbom.cdx.json'), `${JSON.stringify(makeSbom(), null, 2)}\n`)
sayReport()

/** Removes the files of an earlier release from `out`. Throws if it has other files and no report of a release. */
function removeEarlierRelease() {
  const files = readdirSync(out)
  // A release that failed leaves its pack only.
  const packs = files.filter(file => file.startsWith(`${name}-`) && file.endsWith('.tgz'))
  if (files.length > packs.length && !files.includes('report.json'))
    throw new Error(`${out} is not empty, and has no report.json of a release: name another folder`)
  for (const file of [...packs, 'notes.md', 'report.json', 'sbom.cdx.json'])
    rmSync(join(out, file), { force: true })
}

/** Returns the packages that a build has bundled. Throws if it is missing, before anything is packed. */
function readLicenses(file) {
  if (!existsSync(project(file))) throw new Error(`${file} is missing: build first, or leave out --no-build`)
  return readJson(project(file))
}

/** Installs the pack into a project and, as `npm i -g` does, below a prefix. Returns what the project got. */
async function installPack() {
  const npm = (...args) => run('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund'], folder)
  npm('init', '-y')
  await time('install', () => npm('install', pack))
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => statSync(join(entry.parentPath, entry.name)).size)
  const packages = run('npm', ['ls', '--all', '--parseable'], folder).trim().split('\n').length - 1
  await time('global install', () => npm('install', '--global', '--prefix', join(folder, 'global'), pack))
  return { installedBytes: files.reduce((sum, size) => sum + size, 0), packages }
}

/** Runs the installed program as a user would. Throws at the first line that does not print what it should. */
async function tryPack() {
  const env = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const bin = join(folder, 'node_modules', '.bin', name)
  const acme = join(folder, 'node_modules', name, 'examples', 'acme', 'acme.mjs')
  const everything = project('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  const write = (file, text) => writeFileSync(join(folder, file), text)
  write('old.json', '{"tools":[{"name":"greet","inputSchema":{"type":"object"}}]}')
  write('new.json', '{"tools":[]}')
  write('hi.sh', 'echo hi | tr a-z A-Z\n')
  const expectText = (what, text, part) => {
    if (!text.includes(part)) throw new Error(`${what} should print "${part}", and printed:\n${text}`)
  }
  const tryLine = (args, part) => expectText(args.join(' '), run(bin, args, folder, env), part)

  await time('--version', () => tryLine(['--version'], version))
  await time('first page', () => tryPage(bin, env))
  await time('first call', () =>
    tryLine(['call', 'echo', `node "${everything}"`, '--message', 'Ada'], 'Echo: Ada'),
  )
  tryLine(['list', 'node', '--', acme], 'acme/api greet')
  tryLine(['call', 'api greet', 'node', '--input', '{"name":"Ada"}', '--', acme], 'Ada')
  tryLine(['diff', 'old.json', 'new.json', '--fail-on', 'none'], 'greet: tool removed')
  tryLine(['script', 'hi.sh', 'node', '--', acme], 'HI')
  // The tokenizer's table is a file of its own in the build.
  tryLine(['prompt', 'node', '--json', '--', acme], '"tokens":')
  tryLine(['skill'], 'name: toolscope')
  expectText('npx', run('npx', ['--no-install', name, '--version'], folder, env), version)
  expectText(
    'the global program',
    run(join(folder, 'global', 'bin', name), ['--version'], folder, env),
    version,
  )
}

/** Starts the program without a command and without a source, and loads the first page with its script. */
async function tryPage(bin, env) {
  const child = spawn(bin, ['--no-open', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    let text = ''
    for await (const chunk of child.stdout) {
      text += chunk
      if (text.includes('\n')) break
    }
    const url = /^toolscope ready: (\S+)$/m.exec(text)?.[1]
    if (url === undefined) throw new Error(`the server did not start: ${text}`)
    // A browser gets a cookie for the token of the link; a program sends the token itself.
    const headers = { authorization: `Bearer ${new URL(url).searchParams.get('token')}` }
    const html = await (await fetch(new URL('/', url), { headers })).text()
    const script = /<script [^>]*src="([^"]+)"/.exec(html)?.[1]
    if (script === undefined || !(await fetch(new URL(script, url), { headers })).ok)
      throw new Error(`the first page has no script that loads:\n${html}`)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** The lines of this version's section of CHANGELOG.md. */
function readNotes() {
  const [, section = ''] = readFileSync(project('CHANGELOG.md'), 'utf8').split(`${heading}\n`)
  return `${section.split(/^## /m)[0].trim()}\n`
}

/**
 * Returns the SBOM of what a user gets, in CycloneDX: npm lists the lock file, and this removes the packages that only a
 * developer needs. It keeps a devDependency that is bundled into dist/: the build lists these in licenses.json.
 */
function makeSbom() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  const bom = JSON.parse(run('npm', args, project()))
  const bundled = new Set(licenses.map(each => `${each.name}@${each.version}`))
  const isDevelopment = each => each.name === 'cdx:npm:package:development'
  const components = bom.components.flatMap(component => {
    const isBundled = bundled.delete(component['bom-ref'])
    if (!component.properties.some(isDevelopment)) return [component]
    if (!isBundled) return []
    const properties = component.properties.filter(each => !isDevelopment(each))
    properties.push({ name: 'cdx:npm:package:bundled', value: 'true' })
    return [{ ...component, scope: 'required', properties }]
  })
  if (bundled.size > 0) throw new Error(`not in the lock file, but bundled: ${[...bundled].join(', ')}`)
  const root = { ...bom.metadata.component, name }
  const known = new Set([root, ...components].map(each => each['bom-ref']))
  const dependencies = bom.dependencies
    .filter(each => known.has(each.ref))
    .map(each => ({ ...each, dependsOn: each.dependsOn.filter(ref => known.has(ref)) }))
  return { ...bom, metadata: { ...bom.metadata, component: root }, components, dependencies }
}

/** Prints the figures, what must be done before, and the lines that publish. Runs none of them. */
function sayReport() {
  const toMb = bytes => `${(bytes / 1e6).toFixed(1)} MB`
  const times = Object.entries(milliseconds).map(([step, ms]) => `${step} ${(ms / 1000).toFixed(2)} s`)
  const before = [
    ...(mcpName.includes('OWNER') ? ['Replace OWNER in package.json and server.json by the account.'] : []),
    ...(heading.includes('unreleased') ? [`Put the date into "${heading}" of CHANGELOG.md.`] : []),
    ...(run('git', ['status', '--porcelain'], project()) === '' ? [] : ['Commit what has changed.']),
  ]
  const path = file => relative(process.cwd(), join(out, file)) || file
  const lines = [
    `${name} ${version}: ${toMb(report.packedBytes)} packed, ${toMb(report.installedBytes)} in ${report.packages} packages installed`,
    times.join(' · '),
    ...(before.length > 0 ? ['', 'Before you publish:', ...before.map(line => `  ${line}`)] : []),
    '',
    'Nothing was published. These lines publish:',
    `  npm publish ${path(`${name}-${version}.tgz`)} --access public`,
    `  git tag v${version} && git push origin v${version}`,
    `  gh release create v${version} ${path(`${name}-${version}.tgz`)} ${path('sbom.cdx.json')} --notes-file ${path('notes.md')}`,
    '  mcp-publisher publish',
  ]
  console.log(lines.join('\n'))
}
