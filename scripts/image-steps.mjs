/**
 * Runs the Dockerfile and compose.yaml without Docker, for CI: each step of the build in a clean folder, the program as the
 * image's user without the right to write outside its volume, its HEALTHCHECK, and then the services of compose.yaml from
 * Debian's packages with one call through the proxy to each replica, and again with compose.people.yaml. Ports are free ones of the loopback address. Ends what
 * it starts and removes what it makes; exit code 1 if anything failed. The image's Node is not used, but the one of this
 * process.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runCompose } from './compose-steps.mjs'
import { buildImage, makeReadOnly } from './image-build.mjs'
import { project } from './project.mjs'
import { parseDockerfile, readImageSettings } from './read-dockerfile.mjs'

const started = Date.now()
const say = line => console.log(`── ${line}`)
const folder = mkdtempSync(join(tmpdir(), 'toolscope-image-'))
// The image's user and that of PostgreSQL need access to their parts.
chmodSync(folder, 0o755)
const children = []
const userToRemove = addImageUser()
process.once('exit', removeAll)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
try {
  const image = buildImage(project(), folder, say)
  makeReadOnly(image)
  await checkAlone(image)
  await runCompose({ image, folder, start, freePort, say, checkHealth, startReplica })
  say(`image: ok (${((Date.now() - started) / 1000).toFixed(0)} s)`)
} catch (thrown) {
  console.error(thrown)
  for (const { name, output } of children) console.error(`── ${name} wrote:\n${output().slice(-3000)}`)
  process.exitCode = 1
} finally {
  for (const { child } of children.reverse()) await endChild(child)
}

/** At the exit, also after a signal: children that still run are killed. */
function removeAll() {
  for (const { child } of children)
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  spawnSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  if (userToRemove !== undefined) spawnSync('userdel', [userToRemove])
}

/** Adds the image's user to this machine if this process is root and there is none. Returns its name if it was added. */
function addImageUser() {
  const { user } = readImageSettings(parseDockerfile(readFileSync(project('Dockerfile'), 'utf8')))
  if (user === 'root') throw new Error('Dockerfile: the program runs as root')
  if (process.getuid?.() !== 0 || spawnSync('id', [user]).status === 0) return undefined
  const { status, stderr } = spawnSync('useradd', ['--no-create-home', user], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`useradd ${user}: ${stderr}`)
  return user
}

/** Starts a program that is ended at the end of the run; returns it with what it wrote so far. */
function start(name, argv, options) {
  const child = spawn(argv[0], argv.slice(1), { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
  child.once('error', error => {
    text += error
  })
  const entry = { name, child, output: () => text }
  children.push(entry)
  return entry
}

/** Docker sends SIGTERM and, ten seconds later, SIGKILL. */
async function endChild(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  const isEnded = await Promise.race([ended.then(() => true), setTimeout(10_000, false, { ref: false })])
  if (isEnded) return
  child.kill('SIGKILL')
  await ended
}

async function freePort() {
  const server = createServer()
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise(resolve => server.close(resolve))
  return port
}

/** The image by itself: it refuses to start without a token, cannot write outside its volume, and is healthy. */
async function checkAlone(image) {
  const refused = await startReplica('without a token', image, { host: '0.0.0.0' })
  const code = await new Promise(resolve => refused.child.once('exit', resolve))
  if (code !== 2 || !refused.output().includes('TOOLSCOPE_TOKEN'))
    throw new Error(`the image without a token: exit ${code}, ${refused.output()}`)
  say('image: refuses to start without TOOLSCOPE_TOKEN')

  const skill = await startReplica('skill', image, { command: ['skill'] })
  const skillCode = await new Promise(resolve => skill.child.once('close', resolve))
  if (skillCode !== 0 || !skill.output().includes('name: toolscope'))
    throw new Error(`the image with "skill": exit ${skillCode}, ${skill.output()}`)
  say('image: prints its skill')

  const { root, settings, owner } = image
  const probe = join(root, settings.workdir, 'probe')
  if (spawnSync('sh', ['-c', 'touch "$1"', 'sh', probe], { ...owner }).status === 0)
    throw new Error(`the image's user can write ${settings.workdir}`)
  const listFiles = () =>
    spawnSync(
      'find',
      [
        root,
        ...settings.volumes.flatMap(volume => ['-path', root + volume, '-prune', '-o']),
        '-printf',
        '%p %T@ %s\\n',
      ],
      {
        encoding: 'utf8',
        maxBuffer: 64 << 20,
      },
    ).stdout
  const before = listFiles()
  const replica = await startReplica('image', image, { environment: { TOOLSCOPE_TOKEN: 'a'.repeat(32) } })
  await checkHealth(replica)
  await endChild(replica.child)
  if (listFiles() !== before) throw new Error('the program changed files outside its volume')
  say(
    `image: HEALTHCHECK ok as ${owner === undefined ? 'this user' : settings.user}, nothing written outside its volume`,
  )
}

/**
 * Starts the image's ENTRYPOINT with `command` (CMD unless given) on a free loopback port, as the image's user, with the
 * image's environment only. `environment` is added to it, `toHost` maps further texts.
 */
async function startReplica(
  name,
  image,
  { command, environment, toHost = text => text, host = '127.0.0.1' },
) {
  const { settings, owner, root, toHostPath } = image
  const port = await freePort()
  const map = text =>
    toHost(toHostPath(text))
      .replaceAll('0.0.0.0', host)
      .replace(/\b4477\b/g, String(port))
  const env = Object.fromEntries(
    Object.entries({
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: `${root}/home/${settings.user}`,
      ...settings.environment,
      ...environment,
    }).map(([key, text]) => [key, map(text)]),
  )
  const [program, ...words] = [...settings.entrypoint, ...(command ?? settings.command)].map(map)
  const entry = start(name, [program, ...words], { cwd: join(root, settings.workdir), env, ...owner })
  return { ...entry, port, env, health: { ...settings.health, argv: settings.health.argv.map(map) }, owner }
}

/** Runs a health check as Docker does: again after each interval, but here every half second, until it succeeds. */
async function checkHealth({ name, child, health, env, owner, output }) {
  const end = Date.now() + health.retries * health.intervalMs
  for (;;) {
    const { status } = spawnSync(health.argv[0], health.argv.slice(1), { env, ...owner, cwd: '/' })
    if (status === 0) return
    if (Date.now() > end || child.exitCode !== null)
      throw new Error(`${name} is not healthy: ${output().slice(-2000)}`)
    await setTimeout(500)
  }
}
