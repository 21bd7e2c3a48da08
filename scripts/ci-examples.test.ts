/** Examples of the documentation, run as they are: the diff of README.md, and in docs/diff-in-ci.md GitLab and pre-commit. */
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { test } from '../server/testing/folder-test.ts'
import { project } from './project.mjs'
import { program } from './toolscope-program.ts'

/** The first block of YAML under a heading. */
function example(heading: string): unknown {
  const text = readFileSync(project('docs/diff-in-ci.md'), 'utf8')
  const section = text.slice(text.indexOf(`\n## ${heading}\n`))
  return parse(/```yaml\n(.*?)```/s.exec(section)?.[1] ?? '')
}

const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }

/** A repository with a list of one tool, committed, and Toolscope installed as npm would. */
function repositoryAt(folder: string) {
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  const run = (command: string, ...words: string[]): SpawnSyncReturns<string> =>
    spawnSync(command, words, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...environment, PRE_COMMIT_HOME: join(folder, '.cache'), npm_config_loglevel: 'error' },
    })
  const git = (...words: string[]) =>
    run('git', '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...words)
  const list = (maximum: number, ...more: string[]) => {
    const inputSchema = { type: 'object', properties: { batch: { type: 'integer', maximum } } }
    const tools = ['deploy', ...more].map(name => ({ name, description: 'Deploys.', inputSchema }))
    write('tools.json', JSON.stringify({ tools }))
  }
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  write('node_modules/.bin/toolscope', `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  chmodSync(join(folder, 'node_modules/.bin/toolscope'), 0o755)
  write('package.json', '{"name":"tools","private":true}')
  write('.gitignore', 'node_modules\n.cache\n')
  git('init', '-q')
  list(100)
  git('add', '-A')
  git('commit', '-q', '-m', 'Start')
  return { write, run, git, list }
}

test('CI examples: the GitLab script fails for a break, and its reports are where the job says', ({
  folder,
}) => {
  const { run, list } = repositoryAt(folder)
  const { tools } = example('GitLab') as {
    tools: { script: string[]; artifacts: { reports: { junit: string[]; codequality: string } } }
  }
  const { junit, codequality } = tools.artifacts.reports
  const base = String(execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'])).trim()
  const job = () =>
    run('bash', '-ec', [`export CI_MERGE_REQUEST_DIFF_BASE_SHA=${base}`, ...tools.script].join('\n'))

  list(50)
  const broken = job()
  expect([broken.status, broken.stdout]).toEqual([5, expect.stringContaining('{"batch":51}')])
  for (const path of junit) expect(readFileSync(join(folder, path), 'utf8')).toContain('<testsuites')
  expect(JSON.parse(readFileSync(join(folder, codequality), 'utf8'))).toMatchObject([
    { check_name: 'maximum-lowered', severity: 'critical', location: { path: 'tools.json' } },
  ])
})

const isInstalled = spawnSync('pre-commit', ['--version']).status === 0

test.skipIf(!isInstalled && process.env.CI === undefined)(
  'CI examples: the pre-commit hooks stop a commit that breaks callers or that a client refuses',
  ({ folder }) => {
    // What pre-commit clones: the hooks need nothing else of the repository.
    const hooks = join(folder, 'hooks')
    mkdirSync(hooks)
    copyFileSync(project('.pre-commit-hooks.yaml'), join(hooks, '.pre-commit-hooks.yaml'))
    for (const words of [
      ['init', '-q'],
      ['add', '-A'],
      ['-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qm', 'Hooks'],
      ['tag', 'v1'],
    ])
      execFileSync('git', ['-C', hooks, ...words], { env: environment })
    const repository = join(folder, 'repository')
    mkdirSync(repository)
    const { write, run, git, list } = repositoryAt(repository)
    const config = JSON.stringify(example('pre-commit'))
    write('.pre-commit-config.yaml', config.replace('https://github.com/OWNER/toolscope', hooks))
    expect(run('pre-commit', 'install').status).toBe(0)
    const commit = () => {
      git('add', '-A')
      const { status, stdout, stderr } = git('commit', '-q', '-m', 'Change')
      return { status, output: stdout + stderr }
    }

    list(200)
    const raised = commit()
    expect([raised.status, raised.output]).toEqual([
      0,
      expect.stringMatching(/tools stay compatible\.+Passed/),
    ])
    list(50, 'de ploy')
    const refused = commit()
    expect([refused.status, refused.output]).toEqual([1, expect.stringContaining('{"batch":51}')])
    expect(refused.output).toMatch(/clients accept the tools\.+Failed.*openai-name/s)
    expect(String(git('log', '--oneline').stdout).trimEnd().split('\n')).toHaveLength(2)
  },
)

test('README example: toolscope diff prints exactly the output in README.md', ({ folder }) => {
  const list = (schema: object) =>
    JSON.stringify({ tools: [{ name: 'fetch', inputSchema: { type: 'object', ...schema } }] })
  const url = { type: 'string' }
  const format = { enum: ['html', 'text'] }
  const before = { properties: { url, timeout: { type: 'integer' }, format }, required: ['url'] }
  const after = { properties: { url, format }, required: ['url'], additionalProperties: false }
  writeFileSync(join(folder, 'old.json'), list(before))
  writeFileSync(join(folder, 'new.json'), list(after))
  const { stdout, status } = spawnSync(process.execPath, [program, 'diff', 'old.json', 'new.json'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const readme = readFileSync(project('README.md'), 'utf8')
  const shown = /```console\n\$ toolscope diff old\.json new\.json\n(.*?)```/s.exec(readme)?.[1]
  expect(stdout.trimEnd()).toBe(shown?.trimEnd())
  expect(status).toBe(5)
})
