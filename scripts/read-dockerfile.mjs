/** Reads a Dockerfile: only the instructions that ours has. */

/**
 * Returns the stages of a Dockerfile, each with its name (of `AS`, or undefined), its base image and its instructions
 * `{ word, text }` in order. Continued lines are joined, comments removed. Throws if an instruction precedes FROM.
 */
export function parseDockerfile(text) {
  const lines = text
    .split('\n')
    .filter(line => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
  const stages = []
  for (const line of lines) {
    const [, word, rest] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (word === undefined) throw new Error(`Dockerfile: cannot read "${line}"`)
    if (word === 'FROM') {
      const [, base, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? []
      stages.push({ base, name, instructions: [] })
    } else if (stages.length === 0) throw new Error(`Dockerfile: ${word} is before FROM`)
    else stages.at(-1).instructions.push({ word, text: rest })
  }
  return stages
}

/** Returns the pairs of an ENV or LABEL instruction: `A=b C="d e"`. */
export function parsePairs(text) {
  const pairs = [...text.matchAll(/([\w.-]+)=(?:"([^"]*)"|(\S+))/g)]
  return Object.fromEntries(pairs.map(([, name, quoted, plain]) => [name, quoted ?? plain]))
}

/**
 * Returns what a container of the last stage gets: `{ user, workdir, labels, environment, volumes, entrypoint, command,
 * health }`. `health` is the argv of HEALTHCHECK with its retries and its interval in milliseconds, or undefined.
 */
export function readImageSettings(stages) {
  const { instructions } = stages.at(-1)
  const all = word => instructions.filter(each => each.word === word).map(each => each.text)
  const last = word => all(word).at(-1)
  const argv = word => JSON.parse(last(word) ?? '[]')
  const [, options, health] = /^(.*?)CMD (\[.*\])$/.exec(last('HEALTHCHECK') ?? '') ?? []
  const option = (name, usual) => Number(new RegExp(`--${name}=(\\d+)`).exec(options ?? '')?.[1] ?? usual)
  return {
    user: last('USER') ?? 'root',
    workdir: last('WORKDIR') ?? '/',
    labels: Object.assign({}, ...all('LABEL').map(parsePairs)),
    environment: Object.assign({}, ...all('ENV').map(parsePairs)),
    volumes: all('VOLUME'),
    entrypoint: argv('ENTRYPOINT'),
    command: argv('CMD'),
    health: health && {
      argv: JSON.parse(health),
      retries: option('retries', 3),
      intervalMs: option('interval', 30) * 1000,
    },
  }
}
