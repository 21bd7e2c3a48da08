/** Runs the services of compose.yaml without Docker, from Debian's packages, with the settings of the file. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parse } from 'yaml'
import { checkPeople } from './compose-people.mjs'
import { project } from './project.mjs'

/**
 * Reads a compose file with the values of its variables: `${NAME}`, `${NAME:-usual}`, `${NAME:?reason}`, `$$`. Throws if
 * a variable has no value.
 */
export function readCompose(text, variables) {
  const fill = value => {
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each)]))
    if (typeof value !== 'string') return value
    return value.replace(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (written, name, kind, rest) => {
      if (written === '$$') return '$'
      const given = variables[name] ?? (kind === '-' ? rest : undefined)
      if (given === undefined) throw new Error(`compose.yaml: ${name} has no value. ${rest ?? ''}`)
      return given
    })
  }
  return fill(parse(text, { merge: true }))
}

/** Adds a further compose file to one, as Compose does: lists of volumes are joined, other lists and texts are replaced. */
export function mergeCompose(base, further) {
  const isMap = value => typeof value === 'object' && value !== null && !Array.isArray(value)
  const merged = { ...base }
  for (const [key, value] of Object.entries(further)) {
    if (isMap(value) && isMap(base[key])) merged[key] = mergeCompose(base[key], value)
    else if (key === 'volumes' && Array.isArray(value)) merged[key] = [...(base[key] ?? []), ...value]
    else merged[key] = value
  }
  return merged
}

/**
 * Starts all services, calls a tool through the proxy until each replica has answered, and reads the shared history. Then
 * starts them again with the proxy that signs people in.
 */
export async function runCompose({ image, folder, start, freePort, say, checkHealth, startReplica }) {
  const token = randomBytes(24).toString('hex')
  const metricsToken = randomBytes(24).toString('hex')
  const password = randomBytes(24).toString('hex')
  const proxySecret = randomBytes(24).toString('hex')
  const host = 'tools.example.com'
  const read = file =>
    readCompose(readFileSync(project(file), 'utf8'), {
      TOOLSCOPE_HOST: host,
      TOOLSCOPE_TOKEN: token,
      POSTGRES_PASSWORD: password,
      TOOLSCOPE_METRICS_TOKEN: metricsToken,
      TOOLSCOPE_PROXY_SECRET: proxySecret,
    })
  const alone = read('compose.yaml')
  const ports = { database: await freePort() }
  await startDatabase(alone.services.database, { folder, port: ports.database, start, checkHealth })
  say('compose: database is healthy')

  const ca = makeCertificate(folder, host)
  /** Starts the replicas and the proxy with the named copies of the example as their sources. */
  const startServices = async ({ services, configs }, names) => {
    const sources = join(folder, 'toolscope.json')
    const source = { command: ['node', image.toHostPath('/app/examples/acme/acme.mjs')] }
    writeFileSync(sources, JSON.stringify({ sources: Object.fromEntries(names.map(name => [name, source])) }))
    const replicas = Object.entries(services).filter(([, service]) => service.image === 'toolscope')
    const [{ target }] = replicas[0][1].configs
    const toHost = text =>
      text.replace('@database:5432', `@127.0.0.1:${ports.database}`).replace(target, sources)
    const running = []
    for (const [name, { command, environment }] of replicas) {
      const replica = await startReplica(name, image, { command, environment, toHost })
      running.push(replica)
      ports[name] = replica.port
    }
    for (const replica of running) await checkHealth(replica)
    say(`compose: ${running.map(({ name }) => name).join(' and ')} are healthy`)
    ports.proxy = await freePort()
    const proxy = startProxy(configs, { folder, ports, start })
    await untilAnswers(() => ask('/api/health'), proxy)
    const runCommand = command =>
      startReplica(command.join(' '), image, {
        command,
        environment: services['replica-1'].environment,
        toHost,
      })
    return { running, proxy, runCommand }
  }
  const ask = (path, body, headers = { authorization: `Bearer ${token}` }) =>
    askProxy({ ca, host, port: ports.proxy, headers, path, body })
  const { running, proxy } = await startServices(alone, ['acme'])

  const isAudited = ({ output }) => /"accepted".*POST \/api\/invocations/.test(output())
  let calls = 0
  while (!running.every(isAudited) && calls < 10) {
    const { status, text } = await ask('/api/invocations', {
      ref: 'acme/api greet',
      input: { name: `caller ${calls}` },
    })
    calls += 1
    if (status !== 200 || !text.includes('"result"')) throw new Error(`the proxy answered ${status}: ${text}`)
  }
  if (!running.every(isAudited)) throw new Error('ten calls through the proxy did not reach each replica')
  say(`compose: ${calls} calls over TLS reached ${running.map(({ name }) => name).join(' and ')}`)
  await untilAnswers(async () => {
    const { text } = await ask('/api/history')
    return { status: JSON.parse(text).invocations?.length === calls ? 200 : 500, text }
  }, proxy)
  say(`compose: the shared history has ${calls} calls`)
  await checkMetrics(running, metricsToken)
  say('compose: each replica has metrics for their token')
  await checkDrain(running[0], metricsToken, ask)
  say('compose: a replica that was stopped ended its call, and the other one answered all others')

  for (const { child } of [...running, proxy]) await endProcess(child)
  const withPeople = await startServices(mergeCompose(alone, read('compose.people.yaml')), ['acme', 'vault'])
  await checkPeople({
    ...withPeople,
    ask,
    folder,
    origin: `https://${host}:${ports.proxy}`,
    proxySecret,
    say,
  })
}

/** Starts nginx with the texts of the proxy and of its sign-in. */
function startProxy(configs, { folder, ports, start }) {
  const write = (name, { content }) =>
    writeFileSync(join(folder, name), hostConfiguration(content, { folder, ports }))
  write('nginx.conf', configs.proxy)
  write('sign-in.conf', configs['sign-in'])
  const words = ['-e', 'stderr', '-c', join(folder, 'nginx.conf')]
  return start('proxy', ['nginx', ...words, '-g', `daemon off; pid ${folder}/nginx.pid;`], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  })
}

async function endProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Prometheus asks each replica by its own address. */
async function checkMetrics(replicas, metricsToken) {
  for (const { name, port } of replicas) {
    const text = await readMetrics(port, metricsToken)
    if (!/^toolscope_calls_total\{source="acme",outcome="ok"\} [1-9]/m.test(text))
      throw new Error(`${name}: /metrics answered ${text}`)
  }
}

async function readMetrics(port, metricsToken) {
  const headers = { authorization: `Bearer ${metricsToken}` }
  return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
}

/** Stops a replica as Docker does while it runs a call and others come: none may fail. */
async function checkDrain({ child, port }, metricsToken, ask) {
  const call = (path, input) => ask('/api/invocations', { ref: `acme/${path}`, input })
  const long = [1, 2, 3, 4].map(() => call('ops logs', { release: 'r-2291', seconds: 4 }))
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/api/health/ready`)).status
  if ((await isReady()) !== 200) throw new Error('a replica is not ready')
  const runsCall = async () => /^toolscope_calls_running [1-9]/m.test(await readMetrics(port, metricsToken))
  for (const end = Date.now() + 20_000; !(await runsCall()); await setTimeout(50))
    if (Date.now() > end) throw new Error('no call reached the replica')
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  let isRunning = true
  void exited.then(() => {
    isRunning = false
  })
  const answers = []
  const statuses = new Set()
  while (isRunning) {
    answers.push(await call('api greet', { name: 'Ada' }))
    statuses.add(await isReady().catch(() => 'none'))
  }
  answers.push(...(await Promise.all(long)), await call('api greet', { name: 'Ada' }))
  for (const { status, text } of answers)
    if (status !== 200 || !text.includes('"type":"result"'))
      throw new Error(`a call while a replica stopped: ${status} ${text}`)
  if (!statuses.has(503)) throw new Error('a replica that stopped did not say that it is not ready')
  const code = await exited
  if (code !== 0) throw new Error(`a replica that was stopped ended with ${code}`)
}

/** Makes and starts a database as PostgreSQL's image does from its variables; the health check is that of the file. */
async function startDatabase({ environment, healthcheck }, { folder, port, start, checkHealth }) {
  const { POSTGRES_USER: user, POSTGRES_DB: database, POSTGRES_PASSWORD: password } = environment
  const programs = findPostgres()
  const owner = postgresUser()
  const home = join(folder, 'database')
  mkdirSync(home)
  writeFileSync(join(home, 'password'), password)
  if (owner !== undefined)
    for (const path of [home, join(home, 'password')]) chownSync(path, owner.uid, owner.gid)
  const options = { ...owner, cwd: home, stdio: 'pipe' }
  execFileSync(
    join(programs, 'initdb'),
    [
      '-D',
      join(home, 'data'),
      '-U',
      user,
      '-A',
      'scram-sha-256',
      '--pwfile=password',
      '-E',
      'UTF8',
      '--no-sync',
    ],
    options,
  )
  const settings = ['fsync=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1']
  const entry = start(
    'database',
    [
      join(programs, 'postgres'),
      '-D',
      join(home, 'data'),
      '-p',
      String(port),
      ...settings.flatMap(each => ['-c', each]),
    ],
    { ...owner, cwd: home },
  )
  const env = {
    PATH: `${programs}:/usr/bin:/bin`,
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGPASSWORD: password,
  }
  const health = { argv: healthcheck.test.slice(1), retries: healthcheck.retries, intervalMs: 5_000 }
  await checkHealth({ ...entry, health, env, owner })
  execFileSync(join(programs, 'createdb'), ['-U', user, database], { ...options, env })
}

function findPostgres() {
  const debian = '/usr/lib/postgresql'
  const [newest] = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  if (newest === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  return join(debian, newest, 'bin')
}

/** PostgreSQL refuses to run as root: then it runs as the user of Debian's package. */
function postgresUser() {
  if (process.getuid?.() !== 0) return undefined
  const id = flag => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Makes the certificate that docs/team.md asks for, signed by itself. Returns its text. */
function makeCertificate(folder, host) {
  const words = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')]
  const { status, stderr } = spawnSync('openssl', [...words, ...names, ...files], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl: ${stderr}`)
  return readFileSync(join(folder, 'certificate.pem'), 'utf8')
}

/** The proxy's configuration with this machine's addresses, files and temporary folders in place of the containers'. */
export function hostConfiguration(text, { folder, ports }) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${folder}/nginx-${name};`)
    .join(' ')
  return text
    .replace(/server (replica-\d+):4477\b/g, (_, name) => `server 127.0.0.1:${ports[name]}`)
    .replace('listen 443 ', `listen 127.0.0.1:${ports.proxy} `)
    .replaceAll('/etc/nginx/tls/', `${folder}/`)
    .replaceAll('/etc/nginx/', `${folder}/`)
    .replace('http {', `http {\n  ${temporary}`)
}

/** Sends a request through the proxy, as a client that resolves its name and trusts its certificate. */
function askProxy({ ca, host, port, headers, path, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ca,
        port,
        path,
        servername: host,
        host: '127.0.0.1',
        method: body === undefined ? 'GET' : 'POST',
        headers: { host, 'content-type': 'application/json', ...headers },
        agent: false,
      },
      answer => {
        let text = ''
        answer.setEncoding('utf8').on('data', chunk => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode, text }))
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

async function untilAnswers(ask, { child, output }) {
  for (const end = Date.now() + 20_000; ; ) {
    const answer = await ask().catch(error => ({ status: 0, text: String(error) }))
    if (answer.status === 200) return
    if (Date.now() > end || child.exitCode !== null)
      throw new Error(`the proxy is not ready: ${answer.status} ${answer.text} ${output()}`)
    await setTimeout(100)
  }
}
