/**
 * The checks of `toolscope doctor`. Each returns what it found. None starts a source. Only an existing store is opened for
 * writing, as every command opens it.
 */
import { existsSync, type FSWatcher, readFileSync, watch } from 'node:fs'
import { access, constants, readdir, readlink, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { type AppErrorShape, toAppError, toErrorMessage } from '../../core/errors.ts'
import { isObject } from '../../core/json/json.ts'
import { shorten } from '../../core/text/wording.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { type Config, loadConfig } from '../config/config.ts'
import { fileStatus, findOnPath } from '../process/command-line.ts'
import { isOwned } from '../process/owner.ts'
import { runWithLimit } from '../process/run-with-limit.ts'
import type { ClientFile, Machine } from '../recognise/client-files.ts'
import { clientFiles, listClients } from '../recognise/list-clients.ts'
import { readJsonc } from '../recognise/mcp-json.ts'
import { dataDirectory } from '../store/location.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

/** Milliseconds until a program that holds the usual port counts as another one. */
const maxAnswerMs = 2_000
/** The lower limits that Linux itself sets: with less, changes of files are missed. */
const minInotify = { max_user_watches: 8_192, max_user_instances: 128 }
const keyBytes = 32

/** The machine that is checked. Tests replace parts of it. */
export interface CheckedMachine extends Machine {
  /** The folder in which the command runs. Absolute. */
  readonly directory: string
  /** Such as `20.19.0`. */
  readonly nodeVersion: string
  /** The folder with Linux's limits for watching files. */
  readonly inotifyFolder: string
  /** The usual port of the page. */
  readonly port: number
  /** The path of the configuration; default the nearest toolscope.json upward. */
  readonly config?: string | undefined
  /** The address of a PostgreSQL. */
  readonly database?: string | undefined
}

export interface MachineFinding {
  readonly check: string
  readonly isFine: boolean
  readonly detail: string
  /** The next step of the user; absent if nothing is wrong. */
  readonly cure?: string
}

type UnnamedFinding = Omit<MachineFinding, 'check'>
type Check = (machine: CheckedMachine) => UnnamedFinding[] | Promise<UnnamedFinding[]>

const checks: Readonly<Record<string, Check>> = {
  node: checkNode,
  data: checkDataFolder,
  key: checkKeys,
  store: checkStore,
  config: checkConfig,
  clients: checkClients,
  port: checkPort,
  browser: checkBrowser,
  watching: checkWatching,
}

/** Runs every check. A check that fails itself is a finding. */
export async function checkMachine(machine: CheckedMachine): Promise<MachineFinding[]> {
  const found = Object.entries(checks).map(async ([check, run]) => {
    const results = await (async () => run(machine))().catch((thrown: unknown) => [
      wrong(toErrorMessage(thrown), 'Report this: the check itself failed.'),
    ])
    return results.map(result => ({ check, ...result }))
  })
  return (await Promise.all(found)).flat()
}

const fine = (detail: string): UnnamedFinding => ({ isFine: true, detail })
const wrong = (detail: string, cure: string): UnnamedFinding => ({ isFine: false, detail, cure })

function fromError({ detail, hint }: AppErrorShape): UnnamedFinding {
  return wrong(shorten(detail, 300), hint)
}

function checkNode({ nodeVersion }: CheckedMachine): UnnamedFinding[] {
  const [, major = '', minor = ''] = /(\d+)\.(\d+)/.exec(packageJson.engines.node) ?? []
  const [ownMajor = 0, ownMinor = 0] = nodeVersion.split('.').map(Number)
  const isNew = ownMajor > Number(major) || (ownMajor === Number(major) && ownMinor >= Number(minor))
  if (isNew) return [fine(`Node ${nodeVersion}`)]
  return [
    wrong(
      `Node ${nodeVersion} is too old`,
      `Install Node ${major}.${minor} or newer from https://nodejs.org, then run \`node --version\`.`,
    ),
  ]
}

/* The data directory and the store. */

/** The database and the keys contain what other users must not read. */
const privateFiles = ['toolscope.db', 'secret.key', 'page-token.key']

async function checkDataFolder({ environment, platform }: CheckedMachine): Promise<UnnamedFinding[]> {
  const folder = dataDirectory(environment)
  if (!existsSync(folder)) {
    const above = nearestFolder(folder)
    const isWritable = await canWrite(above)
    return [
      isWritable
        ? fine(`${folder} will be created when it is needed`)
        : wrong(`${folder} cannot be created in ${above}`, otherFolder),
    ]
  }
  const status = await stat(folder)
  if (!status.isDirectory())
    return [wrong(`${folder} is not a folder`, `Move that file away. ${otherFolder}`)]
  if (!(await canWrite(folder)))
    return [wrong(`${folder} cannot be written`, `chmod u+rwx ${folder}. ${otherFolder}`)]
  const found: UnnamedFinding[] = []
  if (platform !== 'win32') {
    if (!isOwned(folder)) found.push(wrong(`another user owns ${folder}`, otherFolder))
    else if ((status.mode & 0o022) !== 0)
      found.push(wrong(`other users can write in ${folder}`, `Run: chmod 700 ${folder}`))
    for (const path of privateFiles.map(name => join(folder, name))) {
      const mode = await stat(path).then(
        file => file.mode,
        () => 0,
      )
      if ((mode & 0o077) !== 0) found.push(wrong(`other users can read ${path}`, `Run: chmod 600 ${path}`))
    }
  }
  return found.length > 0 ? found : [fine(folder)]
}

const otherFolder = 'Or name another folder: TOOLSCOPE_DATA_DIR=<folder>.'

const canWrite = (path: string) =>
  access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

function nearestFolder(path: string): string {
  for (let folder = resolve(path); ; folder = dirname(folder)) if (existsSync(folder)) return folder
}

async function checkKeys({ environment }: CheckedMachine): Promise<UnnamedFinding[]> {
  const found: UnnamedFinding[] = []
  for (const [name, cure] of [
    ['secret.key', 'Restore it from a backup. Without one, remove it: stored sources and sign-ins are lost.'],
    ['page-token.key', 'Remove it: the next start makes another, and pages need the new link.'],
  ] as const) {
    const path = join(dataDirectory(environment), name)
    const status = await stat(path).catch(() => undefined)
    if (status === undefined) continue
    if (!status.isFile()) found.push(wrong(`${path} is not a regular file`, cure))
    else if (status.size !== keyBytes)
      found.push(wrong(`${path} has ${status.size} bytes, and must have ${keyBytes}`, cure))
    else if (!isOwned(path)) found.push(wrong(`another user owns ${path}`, `Run: chown $USER ${path}`))
  }
  return found.length > 0 ? found : [fine('the keys of the data directory')]
}

/** Opens an existing store as every command does, which applies its migrations, and takes its write lock once. */
async function checkStore({ environment, database }: CheckedMachine): Promise<UnnamedFinding[]> {
  const folder = dataDirectory(environment)
  const file = join(folder, 'toolscope.db')
  const isPostgres = Boolean(database ?? environment.TOOLSCOPE_DATABASE_URL)
  if (!isPostgres && !existsSync(file)) return [fine(`${file} will be created when it is needed`)]
  const store = await openStore({ environment, databaseUrl: database, say: () => {}, keepsBackups: true })
  try {
    const status = store.status()
    if (status.error !== undefined) return [fromError(status.error)]
    const lost = await findLostKey(store, folder)
    await store
      .database()
      .transaction()
      .execute(async () => {})
    return lost ?? [fine(`${status.where} opens, can be written and has this version’s tables`)]
  } catch (thrown) {
    return [fromError(toAppError(thrown).toShape())]
  } finally {
    await store.close()
  }
}

async function findLostKey(store: Store, folder: string): Promise<UnnamedFinding[] | undefined> {
  if (store.dialect !== 'sqlite' || existsSync(join(folder, 'secret.key'))) return undefined
  const rows = await store.database().selectFrom('sources').select('id').execute()
  if (rows.length === 0) return undefined
  return [
    wrong(
      `${join(folder, 'secret.key')} is missing, and ${rows.length} kept ${rows.length === 1 ? 'source' : 'sources'} cannot be read without it`,
      'Restore it from a backup of the data directory before Toolscope creates another key.',
    ),
  ]
}

/* Files that name sources. */

function checkConfig({ directory, config }: CheckedMachine): UnnamedFinding[] {
  let read: Config
  try {
    read = loadConfig(directory, config)
  } catch (thrown) {
    return [fromError(toAppError(thrown).toShape())]
  }
  const { path, entries, foreign, forms } = read
  const found = foreign.map(file =>
    wrong(`another user owns ${file}: it is not read`, `If you want it, name it: --config ${file}`),
  )
  for (const problem of forms.problems) found.push(wrong(`${path}: ${problem}`, 'Fix that form in the file.'))
  if (found.length > 0) return found
  if (path === null) return [fine('there is no toolscope.json here or above')]
  return [fine(`${path}: ${entries.length} ${entries.length === 1 ? 'source' : 'sources'}`)]
}

/** The folder's own files (`mcp.json`, `.mcp.json`, …) and those of the user's clients. */
function checkClients(machine: CheckedMachine): UnnamedFinding[] {
  const known = clientFiles(machine, machine.directory)
  const files = listClients(known, () => undefined)
  const found = known.filter(({ path }) => files.every(file => file.path !== path)).flatMap(checkOtherFile)
  for (const { client, path, problem, servers } of files) {
    if (problem !== undefined) found.push(wrong(`${client}: ${shorten(problem, 300)}`, toFix(client, path)))
    for (const server of servers)
      if (server.problem !== undefined)
        found.push(
          wrong(`${client}: ${path}: ${server.name}: ${server.problem}`, 'Fix that entry of the file.'),
        )
  }
  if (found.length > 0) return found
  const count = files.reduce((sum, { servers }) => sum + servers.length, 0)
  return [fine(`${count} servers in ${files.length} files of this folder and of other clients`)]
}

/** Finds a mistake in a file that names no server: perhaps because it is cut or empty. */
function checkOtherFile({ client, path }: ClientFile): UnnamedFinding[] {
  if (!path.endsWith('.json') || !fileStatus(path)?.isFile() || !isOwned(path)) return []
  const { mistake } = readJsonc(readFileSync(path, 'utf8'))
  return mistake === undefined ? [] : [wrong(`${client}: ${path}:${mistake}`, toFix(client, path))]
}

const toFix = (client: string, path: string) => `Fix ${path}; ${client} cannot read it either.`

/* The page. */

async function checkPort({ port }: CheckedMachine): Promise<UnnamedFinding[]> {
  const error = await new Promise<NodeJS.ErrnoException | undefined>(done => {
    const server = createServer()
    server.once('error', done)
    server.listen(port, '127.0.0.1', () => server.close(() => done(undefined)))
  })
  if (error === undefined) return [fine(`${port} is free`)]
  if (error.code === 'EADDRINUSE' && (await isToolscope(port)))
    return [fine(`Toolscope serves its page at http://127.0.0.1:${port}`)]
  const owner = await findPortOwner(port)
  const isTaken = error.code === 'EADDRINUSE'
  return [
    wrong(
      isTaken ? `${owner ?? 'another program'} uses port ${port}` : `port ${port}: ${error.message}`,
      `End it, or always use another port, because drafts belong to the port: toolscope --port ${port + 1}`,
    ),
  ]
}

/** Sends no token: a Toolscope refuses in its own words. */
async function isToolscope(port: number): Promise<boolean> {
  const body = await runWithLimit([], maxAnswerMs, async signal => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/rights`, { redirect: 'error', signal })
    return (await answer.json()) as unknown
  }).catch(() => undefined)
  return isObject(body) && isObject(body.error) && body.error.code === 'unauthorised'
}

/** Returns the name and id of the process that listens on a port of 127.0.0.1 or of all addresses; only on Linux. */
async function findPortOwner(port: number): Promise<string | undefined> {
  try {
    const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
    const rows = ['tcp', 'tcp6'].flatMap(name =>
      existsSync(`/proc/net/${name}`) ? readFileSync(`/proc/net/${name}`, 'utf8').split('\n') : [],
    )
    // Columns: number, local address, remote address, state (0A: listens), …, the tenth is the socket's inode.
    const cells = rows.map(row => row.trim().split(/\s+/))
    const inodes = cells.filter(row => row[1]?.endsWith(end) && row[3] === '0A').map(row => row[9])
    for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name)))
      for (const descriptor of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
        const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')
        if (inodes.some(inode => target === `socket:[${inode}]`))
          return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (process ${pid})`
      }
  } catch {
    // Only root sees the programs of other users.
  }
  return undefined
}

/** xdg-open starts the first of them if the desktop names no browser. */
const linuxBrowsers = [
  ...[
    'x-www-browser',
    'firefox',
    'firefox-esr',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'brave-browser',
  ],
  ...[
    'microsoft-edge',
    'vivaldi',
    'opera',
    'epiphany',
    'konqueror',
    'www-browser',
    'wslview',
    'gio',
    'kde-open',
  ],
]

function checkBrowser({ platform, environment }: CheckedMachine): UnnamedFinding[] {
  if (platform !== 'linux') return [fine('the system opens its default browser')]
  const { DISPLAY, WAYLAND_DISPLAY, BROWSER } = environment
  if (!DISPLAY && !WAYLAND_DISPLAY)
    return [fine('no display here: `toolscope` prints the address of the page')]
  // A list, of which the first that exists is started.
  const named = BROWSER ? BROWSER.split(':').map(each => each.split(' ', 1)[0] ?? '') : linuxBrowsers
  const found = named.find(name => findOnPath(name, environment) !== null)
  if (found !== undefined) return [fine(found)]
  return [
    wrong(
      BROWSER ? `BROWSER names ${BROWSER}, which is not on PATH` : 'no browser is on PATH',
      'Install one, set BROWSER to its name, or use --no-open and open the printed address.',
    ),
  ]
}

function checkWatching({ platform, inotifyFolder, directory }: CheckedMachine): UnnamedFinding[] {
  const low = Object.entries(platform === 'linux' ? minInotify : {}).filter(([name, min]) => {
    const path = join(inotifyFolder, name)
    return existsSync(path) && Number(readFileSync(path, 'utf8')) < min
  })
  if (low.length > 0)
    return low.map(([name, min]) =>
      wrong(
        `fs.inotify.${name} is lower than ${min}: changes of files are missed`,
        `Run: sudo sysctl fs.inotify.${name}=${min * 8}`,
      ),
    )
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(directory)
    return [fine('files of this folder can be watched')]
  } catch (thrown) {
    return [
      wrong(
        `files cannot be watched: ${toErrorMessage(thrown)}`,
        platform === 'linux'
          ? `Other programs use all watches. Close some, or run: sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=1024`
          : 'Close programs that have many files open.',
      ),
    ]
  } finally {
    watcher?.close()
  }
}
