/** The script of action.yml that compares, in a real repository. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { parse } from 'yaml'
import { test } from '../server/testing/folder-test.ts'
import {
  compareVariables,
  listProgram,
  runScript,
  startCommentApi,
  startRepository,
} from './github-action.testkit.ts'
import { project } from './project.mjs'

const compare = 'github-action.mjs'

test('github action: a break fails the step, and is in the summary, the report and the file for code scanning', async ({
  folder,
}) => {
  const { directory, commit } = startRepository(folder)
  const [base, head, mended] = [commit(listProgram(100)), commit(listProgram(50)), commit(listProgram(200))]
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')

  const broken = await runScript(compare, directory, compareVariables(folder, { base, head }))
  expect([broken.code, broken.output]).toEqual([5, expect.stringContaining('::error')])
  expect(read('report.md')).toContain('maximum lowered: 100 → 50')
  expect(read('report.md')).toContain('`{"batch":51}` worked; now: /batch must not be above 50')
  expect(read('summary.md')).toBe(read('report.md'))
  expect(JSON.parse(read('toolscope.sarif')).runs[0].results).toHaveLength(1)
  expect(read('output')).toBe('report=true\nsarif=true\n')

  const compatible = await runScript(compare, directory, compareVariables(folder, { base, head: mended }))
  expect(compatible.code).toBe(0)
  expect(read('report.md')).toContain('maximum raised')
})

test('github action: a report of an earlier step is not taken for that of a comparison that failed', async ({
  folder,
}) => {
  const { directory, commit } = startRepository(folder)
  const [base, head] = [commit(listProgram(100)), commit('process.exit(1)')]
  writeFileSync(join(folder, 'report.md'), 'The report of an earlier step')
  const { code } = await runScript(compare, directory, compareVariables(folder, { base, head }))
  expect(code).toBe(3)
  expect(['report.md', 'output', 'summary.md'].filter(name => existsSync(join(folder, name)))).toEqual([])
})

test('github action: a report that the code under test wrote is not taken for that of a comparison', async ({
  folder,
}) => {
  const { directory, commit } = startRepository(folder)
  const base = commit(listProgram(100))
  const write = `writeFileSync(${JSON.stringify(join(folder, 'report.md'))}, '# Nothing changed')`
  const head = commit(`import { writeFileSync } from 'node:fs'\n${write}\nprocess.exit(1)`)
  const { code } = await runScript(compare, directory, compareVariables(folder, { base, head }))
  expect(code).toBe(3)
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe('# Nothing changed')
  expect(['output', 'summary.md'].filter(name => existsSync(join(folder, name)))).toEqual([])
})

test('github action: a report that is a folder is removed before the comparison', async ({ folder }) => {
  const { directory, commit } = startRepository(folder)
  const base = commit(listProgram(100))
  mkdirSync(join(folder, 'report.md/inner'), { recursive: true })
  const { code } = await runScript(compare, directory, compareVariables(folder, { base, head: base }))
  expect([code, existsSync(join(folder, 'summary.md'))]).toEqual([0, true])
})

test('github action: a working directory behind a symbolic link of the pull request is refused', async ({
  folder,
}) => {
  const { directory, commit } = startRepository(folder)
  const write = (name: string, maximum: number) => {
    mkdirSync(join(directory, name))
    writeFileSync(join(directory, name, 'list.mjs'), listProgram(maximum))
  }
  write('server', 100)
  write('legacy', 10)
  const base = commit(listProgram(100))
  // The process only knows the target of the link: both sides would be `legacy`, in which nothing changed.
  rmSync(join(directory, 'server'), { recursive: true })
  symlinkSync('legacy', join(directory, 'server'))
  const head = commit(listProgram(100))
  const variables = compareVariables(folder, { base, head })
  const run = (name: string) =>
    runScript(compare, join(directory, name), { ...variables, TOOL_DIRECTORY: `./${name}` })
  const { code, output } = await run('server')
  expect([code, output]).toEqual([2, expect.stringMatching(/^::error::.*server.*symbolic link/)])
  expect((await run('legacy')).code).toBe(0)
})

test.for([
  ['no command', { TOOL_COMMAND: '' }, 'Name the command'],
  ['a command of spaces', { TOOL_COMMAND: ' \n' }, 'Name the command'],
  ['an open quote', { TOOL_COMMAND: 'node "list.mjs' }, 'A quote is not closed'],
] as const)('github action: %s is an error that says so', async ([, variables, said], { folder }) => {
  const { directory, commit } = startRepository(folder)
  const base = commit(listProgram(100))
  const { code, output } = await runScript(compare, directory, {
    ...compareVariables(folder, { base, head: base }),
    ...variables,
  })
  expect([code, output]).toEqual([2, expect.stringMatching(new RegExp(`^::error::${said}`))])
})

test('github action: quotes keep words of the command together, also inside a word', async ({ folder }) => {
  const { directory, commit } = startRepository(folder)
  const written = join(folder, 'words.json')
  const base = commit(
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(written)}, JSON.stringify(process.argv.slice(2)))\n${listProgram(100)}`,
  )
  const { code } = await runScript(compare, directory, {
    ...compareVariables(folder, { base, head: base }),
    TOOL_COMMAND: `node 'list.mjs' --title="a b" "it's" --path='C:\\x y'`,
  })
  expect(code).toBe(0)
  expect(JSON.parse(readFileSync(written, 'utf8'))).toEqual([
    '--title=a b',
    "it's",
    '--path=C:\\x y',
    '--llms',
  ])
})

describe('github action: a text that is not a revision is refused', () => {
  const hostile = [
    '-h',
    '--help',
    '--ignore=i.json',
    '--fail-on=dangerous',
    '--upload-pack=touch started; git-upload-pack',
    '+refs/heads/main:refs/heads/evil',
    'main\n::error::injected',
    'main\n',
    ' ',
  ]
  const cases = hostile.flatMap(value => [['TOOL_BASE', value] as const, ['TOOL_HEAD', value] as const])
  test.for(cases)('as %s: %j', async ([variable, value], { folder }) => {
    const { directory, git, commit } = startRepository(folder)
    const [base, head] = [commit(listProgram(100)), commit(listProgram(50))]
    // The origin of a local path: git starts the program of --upload-pack.
    git('remote', 'add', 'origin', directory)
    const { code, output } = await runScript(compare, directory, {
      ...compareVariables(folder, { base, head }),
      [variable]: value,
    })
    expect([code, output]).toEqual([2, expect.stringContaining('is not a revision')])
    expect(output.trimEnd().split('\n')).toHaveLength(1)
    expect(git('branch', '--list', 'evil')).toBe('')
    expect(existsSync(join(directory, 'started'))).toBe(false)
  })
})

test('github action: a revision of more than 255 characters is refused', async ({ folder }) => {
  const { directory, commit } = startRepository(folder)
  const base = commit(listProgram(100))
  const { code } = await runScript(compare, directory, {
    ...compareVariables(folder, { base, head: base }),
    TOOL_BASE: `HEAD${'~0'.repeat(200)}`,
  })
  expect(code).toBe(2)
})

/** A program that writes the names and values of its variables into a file, then prints a list. */
const lookAround = (file: string) =>
  `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(file)}, JSON.stringify(process.env))\n`

describe('github action: the code of a pull request', () => {
  /** What a runner sets for a step, and what a job adds. */
  const stepVariables = (folder: string) => ({
    ...Object.fromEntries(
      ['ENV', 'PATH', 'STATE'].map(name => [`GITHUB_${name}`, join(folder, `github-${name}`)]),
    ),
    TOOL_TOKEN: 'secret',
    GITHUB_TOKEN: 'secret',
    GH_TOKEN: 'secret',
    ACTIONS_RUNTIME_TOKEN: 'secret',
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret',
    ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example',
    ACTIONS_CACHE_URL: 'https://cache.example',
    NODE_AUTH_TOKEN: 'secret',
    npm_config__auth: 'secret',
    DEPLOY_KEY: 'secret',
    TOOLSCOPE_TOKEN: 'secret',
    API_KEY: 'of the test server',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    NPM_CONFIG_USERCONFIG: join(folder, '.npmrc'),
    npm_config_registry: 'http://127.0.0.1:9/',
    LC_CTYPE: 'C.UTF-8',
    RUNNER_TEMP: folder,
    GITHUB_ACTIONS: 'true',
  })
  const needed = ['HTTPS_PROXY', 'https_proxy', 'NODE_EXTRA_CA_CERTS', 'NPM_CONFIG_USERCONFIG']
  const more = ['npm_config_registry', 'LC_CTYPE', 'RUNNER_TEMP', 'CI', 'PATH', 'HOME']

  const runLooking = async (folder: string, variables: NodeJS.ProcessEnv) => {
    const { directory, commit } = startRepository(folder)
    const [installed, started] = [join(folder, 'installed.json'), join(folder, 'started.json')]
    writeFileSync(join(directory, 'install.mjs'), lookAround(installed))
    const head = commit(`${lookAround(started)}${listProgram(100)}`)
    const result = await runScript(compare, directory, {
      ...stepVariables(folder),
      ...compareVariables(folder, { base: head, head }),
      CI: 'true',
      TOOL_INSTALL: 'node install.mjs',
      ...variables,
    })
    const seen = () => [installed, started].map(file => JSON.parse(readFileSync(file, 'utf8')))
    return { ...result, seen }
  }

  test('gets named variables only: no token, no file that controls the workflow', async ({ folder }) => {
    const { code, seen } = await runLooking(folder, {})
    expect(code).toBe(0)
    for (const variables of seen()) {
      expect(Object.keys(variables)).toEqual(expect.arrayContaining([...needed, ...more]))
      expect(Object.values(variables)).not.toContain('secret')
      const ofRunner = Object.keys(variables).filter(name => /^(?:TOOL|TOOLSCOPE|GITHUB|ACTIONS)_/.test(name))
      expect(ofRunner).toEqual(['GITHUB_ACTIONS'])
      expect(variables.API_KEY).toBeUndefined()
    }
  })

  test('gets the variables that the input env names', async ({ folder }) => {
    const { code, seen } = await runLooking(folder, { TOOL_ENV: 'API_KEY, UNSET\nNODE_AUTH_TOKEN' })
    expect(code).toBe(0)
    for (const variables of seen()) {
      expect(variables).toMatchObject({ API_KEY: 'of the test server', NODE_AUTH_TOKEN: 'secret' })
      expect(variables).not.toHaveProperty('UNSET')
      expect(variables).not.toHaveProperty('DEPLOY_KEY')
    }
  })

  test('is not started if the input env holds a value', async ({ folder }) => {
    const { code, output } = await runLooking(folder, { TOOL_ENV: 'API_KEY=1' })
    expect([code, output]).toEqual([2, expect.stringContaining('lists names')])
    expect(output).not.toContain('API_KEY=1')
    expect(existsSync(join(folder, 'installed.json'))).toBe(false)
  })

  test('runs in a step without the token: the environment of a parent process can be read', () => {
    const { runs } = parse(readFileSync(project('action.yml'), 'utf8'))
    const findSteps = (part: string) =>
      runs.steps.filter((step: { env?: object }) => JSON.stringify(step.env ?? {}).includes(part))
    expect(findSteps('inputs.token')).toEqual([
      expect.objectContaining({ run: 'node "$GITHUB_ACTION_PATH/scripts/github-comment.mjs"' }),
    ])
    expect(findSteps('inputs.command')).toEqual([
      expect.objectContaining({ run: 'node "$GITHUB_ACTION_PATH/scripts/github-action.mjs"' }),
    ])
  })
})

test('github action: a long report ends between entries, below the limits in characters and in bytes', async ({
  folder,
}) => {
  const { directory, commit } = startRepository(folder)
  // Names of three and four bytes a character, with open code spans, links and a mention.
  const listOf = (schema: object) => {
    const tools = Array.from({ length: 1_500 }, (_, index) => ({
      name: `${'`'.repeat(index % 3)}${'工具🛠️'.repeat(20)}${index} \` [x](https://evil.example) @octocat`,
      inputSchema: { type: 'object', properties: { [`値${index}`]: schema } },
    }))
    return `console.log(${JSON.stringify(JSON.stringify({ tools }))})`
  }
  const [base, head] = [commit(listOf({ type: ['string', 'number'] })), commit(listOf({ type: 'string' }))]
  const variables = compareVariables(folder, { base, head })
  expect((await runScript(compare, directory, variables)).code).toBe(5)

  const api = await startCommentApi()
  try {
    await runScript('github-comment.mjs', directory, { ...variables, ...api.variables })
  } finally {
    api.stop()
  }
  const body = api.comments[0]?.body ?? ''
  const summary = readFileSync(variables.GITHUB_STEP_SUMMARY)
  expect(body).toBe(`<!-- toolscope diff -->\n${summary}`)
  expect(body.length).toBeLessThanOrEqual(65_536)
  expect(summary.byteLength).toBeLessThanOrEqual(1_048_576)
  const entries = body.split('\n').filter(line => line.startsWith('- '))
  expect(entries.length).toBeGreaterThan(50)
  expect(body).toContain(`\n${1_500 - entries.length} more entries are left out here`)
  for (const entry of entries) {
    // What is outside code spans (CommonMark §6.1).
    const outside = entry.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
    expect(outside).not.toMatch(/(?<!\\)`|@octocat|(?<!\\)\]\(/)
  }
})
