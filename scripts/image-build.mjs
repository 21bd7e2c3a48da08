/** Runs the steps of a Dockerfile without Docker: each stage has a folder for its root, and paths are mapped to it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { parseDockerfile, readImageSettings } from './read-dockerfile.mjs'

const isRoot = process.getuid?.() === 0

/**
 * Builds the image of `context/Dockerfile` below `folder`. Returns `{ root, settings, toHostPath, owner }`: the folder of
 * the last stage, its settings, what maps a text with the image's paths to this machine's, and the ids of its user
 * (undefined if this process is not root: then everything runs as this user). Throws if a step fails.
 */
export function buildImage(context, folder, say) {
  const stages = parseDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'))
  const settings = readImageSettings(stages)
  const owner = isRoot ? readUser(settings.user) : undefined
  const roots = new Map()
  for (const [index, stage] of stages.entries()) {
    const root = join(folder, stage.name ?? `stage-${index}`)
    mkdirSync(root, { recursive: true })
    roots.set(stage.name, root)
    const toHostPath = pathMapper(root, topFolders(stage))
    let workdir = '/'
    const environment = { ...process.env, npm_config_update_notifier: 'false' }
    for (const { word, text } of stage.instructions) {
      const started = Date.now()
      if (word === 'WORKDIR') {
        workdir = posix.resolve(workdir, text)
        mkdirSync(join(root, workdir), { recursive: true })
      } else if (word === 'ENV') Object.assign(environment, readImageSettings([stage]).environment)
      else if (word === 'COPY') copyFiles(text, { context, roots, root, workdir })
      else if (word === 'RUN') {
        const command = toHostPath(asOwnUser(text.replace(/^--mount=\S+\s+/, ''), settings.user))
        const { status, stdout, stderr } = spawnSync('sh', ['-ec', command], {
          cwd: join(root, workdir),
          env: environment,
          encoding: 'utf8',
        })
        if (status !== 0) throw new Error(`RUN ${text}: exit ${status}\n${stdout}${stderr}`)
      } else continue
      say(`${stage.name ?? 'image'}: ${word} ${text} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
    }
  }
  const root = [...roots.values()].at(-1)
  return { root, settings, toHostPath: pathMapper(root, topFolders(stages.at(-1))), owner }
}

/** Without root, a step cannot give files away: the image's user is then this user. */
function asOwnUser(command, user) {
  if (isRoot) return command
  const own = ['-un', '-gn'].map(flag => execFileSync('id', [flag], { encoding: 'utf8' }).trim())
  return command.replaceAll(`${user}:${user}`, own.join(':'))
}

function readUser(name) {
  const id = flag => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The first folders of all paths that the stage makes or names as its own. */
function topFolders({ instructions }) {
  const texts = instructions.filter(({ word }) => ['WORKDIR', 'VOLUME'].includes(word)).map(each => each.text)
  return new Set(texts.map(path => path.split('/')[1]))
}

/** Returns a function that puts `root` before each path of a text that begins with one of the folders. */
export const pathMapper = (root, folders) => text =>
  text.replace(/(?<![\w./:@-])\/([\w-]+)(?=[/\s'"]|$)/g, (path, first) =>
    folders.has(first) ? `${root}${path}` : path,
  )

function copyFiles(text, { context, roots, root, workdir }) {
  const words = text.split(/\s+/)
  const stage = words[0]?.startsWith('--from=') ? words.shift().slice('--from='.length) : undefined
  const target = words.pop()
  const into = join(root, posix.resolve(workdir, target))
  const from = stage === undefined ? context : roots.get(stage)
  const isSent = stage === undefined ? readSentNames(context) : () => true
  for (const source of words) {
    const path = join(from, source)
    if (!existsSync(path)) throw new Error(`COPY ${text}: ${source} does not exist`)
    if (source === '.')
      for (const name of readdirSync(path).filter(isSent)) copyPath(join(path, name), join(into, name))
    else if (!isSent(source)) throw new Error(`COPY ${text}: .dockerignore leaves ${source} out`)
    // Docker copies what is in a folder, and a file under its own name into a folder.
    else copyPath(path, statSync(path).isFile() && target.endsWith('/') ? join(into, basename(path)) : into)
  }
}

function copyPath(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true })
}

/** Returns which names of the context are sent to Docker. Reads a .dockerignore of `*` and lines of `!name`. */
function readSentNames(context) {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8')
    .split('\n')
    .filter(line => !/^(#|$)/.test(line))
  if (lines[0] !== '*' || lines.slice(1).some(line => !/^!\.?[\w-]+(\.[\w-]+)*$/.test(line)))
    throw new Error('.dockerignore: only "*" and lines of "!name" can be read')
  const sent = new Set(lines.slice(1).map(line => line.slice(1)))
  return name => sent.has(name.split('/')[0])
}

/** Gives folders that the image's user owns to it, and takes the right to write from everyone else's files. */
export function makeReadOnly({ root, settings, owner }) {
  execFileSync('chmod', ['-R', 'a-w', root])
  for (const volume of settings.volumes) {
    const path = join(root, volume)
    execFileSync('chmod', ['-R', 'u+w', path])
    const { uid } = statSync(path)
    if (owner !== undefined && uid !== owner.uid)
      throw new Error(`Dockerfile: ${volume} does not belong to the user ${settings.user}`)
  }
}
