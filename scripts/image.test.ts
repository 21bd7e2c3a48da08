/** Dockerfile and compose.yaml as texts. scripts/image-steps.mjs runs them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hostConfiguration, mergeCompose, readCompose } from './compose-steps.mjs'
import { pathMapper } from './image-build.mjs'
import { project } from './project.mjs'
import { parseDockerfile, readImageSettings } from './read-dockerfile.mjs'

const read = (path: string) => readFileSync(project(path), 'utf8')
const stages = parseDockerfile(read('Dockerfile'))
const settings = readImageSettings(stages)
const variables = { TOOLSCOPE_HOST: 'tools.example.com', TOOLSCOPE_TOKEN: 't', POSTGRES_PASSWORD: 'p' }
const compose = readCompose(read('compose.yaml'), variables)
const people = readCompose(read('compose.people.yaml'), { ...variables, TOOLSCOPE_PROXY_SECRET: 's' })
const packageJson = JSON.parse(read('package.json'))

test('Dockerfile: the program runs on a plain Node as the user node, with a health check and one folder to write', () => {
  expect(stages.map(({ base }) => base)).toEqual(['node:24-bookworm-slim', 'node:24-bookworm-slim'])
  expect(settings).toMatchObject({
    user: 'node',
    volumes: ['/data'],
    environment: { TOOLSCOPE_DATA_DIR: '/data' },
    health: { argv: ['node', '-e', expect.stringContaining('/api/health')], retries: 3, intervalMs: 10_000 },
  })
})

test('Dockerfile: its labels are what package.json says, the name in the MCP registry too', () => {
  expect(settings.labels).toMatchObject({
    'org.opencontainers.image.title': packageJson.name,
    'org.opencontainers.image.licenses': packageJson.license,
  })
  expect(settings.labels['io.modelcontextprotocol.server.name']).toBe(
    packageJson.mcpName ?? `io.github.OWNER/${packageJson.name}`,
  )
})

test('Dockerfile: the image has the text that `toolscope skill` prints, next to dist', () => {
  const texts = stages.at(-1)?.instructions.map(({ word, text }) => `${word} ${text}`)
  expect(texts).toContain('COPY LICENSE SKILL.md ./')
  expect(read('.dockerignore').split('\n')).toContain('!SKILL.md')
})

test('compose.yaml: the proxy writes no address to its logs, because that of the first visit has the token', () => {
  const { content } = compose.configs.proxy
  expect(content).toMatch(/^\s*access_log off;/m)
  expect(content).toMatch(/^\s*error_log stderr crit;/m)
})

test('compose.yaml: no service with a read-only root takes a text, which Compose copies into it and Docker refuses', () => {
  // https://github.com/docker/compose/issues/12031: a file is mounted instead, and works.
  type Service = { read_only?: boolean; configs?: { source: string }[] }
  const taken = Object.values<Service>(compose.services).flatMap(({ read_only, configs = [] }) =>
    read_only ? configs.map(({ source }) => source) : [],
  )
  expect(new Set(taken)).toEqual(new Set(['sources']))
  expect(Object.keys(compose.configs.sources)).toEqual(['file'])
})

test('compose.yaml: two replicas share the database and the token, and cannot write outside their volumes', () => {
  const replicas = ['replica-1', 'replica-2'].map(name => compose.services[name])
  for (const [index, replica] of replicas.entries())
    expect(replica).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      environment: {
        TOOLSCOPE_TOKEN: 't',
        TOOLSCOPE_DATABASE_URL: 'postgres://toolscope:p@database:5432/toolscope',
      },
      volumes: [`data-${index + 1}:/data`],
    })
  expect(Object.keys(compose.services)).toEqual(['replica-1', 'replica-2', 'database', 'proxy'])
  // Only the proxy can be reached from outside.
  expect(Object.values(compose.services).filter(service => 'ports' in (service as object))).toHaveLength(1)
})

test('compose.yaml: no client can name a user, and with compose.people.yaml only a password can', () => {
  expect(compose.configs.proxy.content).toContain('include /etc/nginx/sign-in.conf;')
  expect(compose.configs['sign-in'].content).toBe('proxy_set_header X-Forwarded-User "";\n')
  const merged = mergeCompose(compose, people)
  expect(merged.configs['sign-in'].content.trim().split('\n')).toEqual([
    'auth_basic $realm;',
    'auth_basic_user_file /etc/nginx/sign-in/users;',
    'proxy_set_header X-Forwarded-User $remote_user;',
    'proxy_set_header X-Proxy-Secret "s";',
  ])
  for (const name of ['replica-1', 'replica-2'])
    expect(merged.services[name]).toEqual({
      ...compose.services[name],
      environment: { ...compose.services[name].environment, TOOLSCOPE_PROXY_SECRET: 's' },
    })
  expect(merged.services.proxy.volumes).toEqual([
    './tls:/etc/nginx/tls:ro',
    './sign-in:/etc/nginx/sign-in:ro',
  ])
})

test('readCompose: a variable without a value is refused with its reason, and $$ is a dollar sign', () => {
  expect(() => readCompose('a: ${TOKEN:?Set it}', {})).toThrow('compose.yaml: TOKEN has no value. Set it')
  expect(readCompose('a: ["${A:-b} $${A} $$host"]', {})).toEqual({ a: ['b ${A} $host'] })
})

test('hostConfiguration: the proxy listens and calls on loopback only, and reads no path of the container', () => {
  const ports = { 'replica-1': 1001, 'replica-2': 1002, proxy: 1003 }
  const text = hostConfiguration(compose.configs.proxy.content, { folder: '/tmp/run', ports })
  expect(text).toContain('server 127.0.0.1:1001 max_fails=0;')
  expect(text).toContain('server 127.0.0.1:1002 max_fails=0;')
  expect(text).toContain('listen 127.0.0.1:1003 ssl;')
  expect(text).not.toMatch(/\/etc\/|replica-|listen \d+ /)
})

test('parseDockerfile: continued lines are one instruction, and what precedes FROM is refused', () => {
  expect(parseDockerfile('# a\nFROM a AS b\nLABEL c=d \\\n  e="f g"\nCMD ["h"]\n')).toEqual([
    {
      base: 'a',
      name: 'b',
      instructions: [
        { word: 'LABEL', text: 'c=d e="f g"' },
        { word: 'CMD', text: '["h"]' },
      ],
    },
  ])
  expect(() => parseDockerfile('RUN a')).toThrow('RUN is before FROM')
})

test('pathMapper: only paths below the named folders are moved', () => {
  const map = pathMapper('/new', new Set(['app', 'data']))
  expect(map('mkdir /data && cat /app/a.txt /etc/data b/app http://host/data /application')).toBe(
    'mkdir /new/data && cat /new/app/a.txt /etc/data b/app http://host/data /application',
  )
})

test('compose.yaml: a replica has longer to stop than its drain lasts', () => {
  for (const { command, stop_grace_period } of [
    compose.services['replica-1'],
    compose.services['replica-2'],
  ]) {
    const drain = command.find((word: string) => word.startsWith('--drain='))
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(Number.parseInt(drain.slice(8), 10) + 5)
  }
})
