import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { detectSource } from '../recognise/detect-source.ts'
import { programEnvironment } from './program-environment.ts'
import { callAndWait, resolveInRepository, testContext, toolNamed } from './testkit.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-environment-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ours = {
  PATH: '/bin',
  HOME: '/home/ada',
  SHELL: '() { :; }',
  AWS_REGION: 'eu',
  AWS_PROFILE: 'a',
  SECRET: 's',
  TOOLSCOPE_TOKEN: 't',
  toolscope_database_url: 'd',
}

it.each<[string, Parameters<typeof programEnvironment>[1], 'everything' | 'safe', string[]]>([
  ['all but our own', {}, 'everything', ['PATH', 'HOME', 'SHELL', 'AWS_REGION', 'AWS_PROFILE', 'SECRET']],
  ['the safe ones', {}, 'safe', ['PATH', 'HOME']],
  [
    'the safe and the listed ones',
    { inherit: ['AWS_*'] },
    'safe',
    ['PATH', 'HOME', 'AWS_REGION', 'AWS_PROFILE'],
  ],
  ['no more than is listed', { inherit: ['SECRET'] }, 'everything', ['PATH', 'HOME', 'SECRET']],
  ['never our own, listed or not', { inherit: ['TOOLSCOPE_TOKEN', 'T*'] }, 'everything', ['PATH', 'HOME']],
  [
    'what is set for the source, whatever its name',
    { inherit: [], environment: { TOOLSCOPE_TOKEN: 'its own' } },
    'safe',
    ['PATH', 'HOME', 'TOOLSCOPE_TOKEN'],
  ],
])('programEnvironment: a program gets %s', (_, settings, usual, names) => {
  expect(Object.keys(programEnvironment(ours, settings, usual))).toEqual(names)
})

it('programEnvironment: on Windows, a program gets Path, SystemRoot and listed names however they are written', () => {
  const variables = {
    Path: 'C:\\Windows',
    SystemRoot: 'C:\\Windows',
    ComSpec: 'cmd.exe',
    aws_region: 'eu',
    Secret: 's',
    HOME: '/home/ada',
    Toolscope_Token: 't',
  }
  const names = (inherit: string[] | undefined, platform: NodeJS.Platform) =>
    Object.keys(programEnvironment(variables, inherit === undefined ? {} : { inherit }, 'safe', platform))
  expect(names(undefined, 'win32')).toEqual(['Path', 'SystemRoot', 'ComSpec'])
  expect(names(['AWS_*', 'SECRET'], 'win32')).toEqual([
    'Path',
    'SystemRoot',
    'ComSpec',
    'aws_region',
    'Secret',
  ])
  expect(names(['AWS_*', 'SECRET'], 'linux')).toEqual(['HOME'])
})

/** A program of each kind that answers with the names of its variables. */
const program = join(folder, 'names.mjs')
writeFileSync(
  program,
  `import { z } from '${resolveInRepository('node_modules/zod/index.js')}'
import { group, tool } from '${resolveInRepository('examples/acme/llms-program.mjs')}'
const names = tool({
  description: 'Names', input: z.object({}), output: z.object({ names: z.array(z.string()) }),
  run: () => ({ names: Object.keys(process.env) }),
})
await group({ name: 'names' }, { names }).parseAsync()
`,
)

it('programEnvironment: a real program gets no variables of Toolscope', async () => {
  const environment = {
    ...process.env,
    TOOLSCOPE_TOKEN: 'secret-1',
    TOOLSCOPE_DATABASE_URL: 'postgres://u:secret-2@h/d',
  }
  const spec = await detectSource([process.execPath, program], testContext)
  const session = await spec.open({ ...testContext, environment })
  const { ending } = await callAndWait(session, await toolNamed(session, 'names'), {})
  await session.close()
  expect(JSON.stringify(ending)).toContain('"PATH"')
  expect(JSON.stringify(ending)).not.toContain('TOOLSCOPE_')
})
