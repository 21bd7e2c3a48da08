/** `toolscope diff --git` of the built program in a real repository. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect } from 'vitest'
import { runToolscope } from '../../scripts/toolscope-program.ts'
import { test as folderTest } from '../testing/folder-test.ts'

/** A program whose list says what the installation left and what was committed. */
const program = (maximum: number) => `
import { existsSync } from 'node:fs'
if (!existsSync('installed')) { console.error('not installed'); process.exit(1) }
const inputSchema = { type: 'object', properties: { batch: { type: 'integer', maximum: ${maximum} } } }
console.log(JSON.stringify({ tools: [{ name: 'deploy', inputSchema }] }))
`
const install = 'import { writeFileSync } from "node:fs"; writeFileSync("installed", "")'

const test = folderTest.extend<{ repository: string }>({
  async repository({ folder }, use) {
    const repository = join(folder, 'repository')
    mkdirSync(join(repository, 'tools'), { recursive: true })
    const git = (...words: string[]) => execFileSync('git', ['-C', repository, ...words], { stdio: 'pipe' })
    const commit = (text: string, message: string) => {
      writeFileSync(join(repository, 'tools/program.mjs'), text)
      writeFileSync(join(repository, 'tools/install.mjs'), install)
      git('add', '-A')
      git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', message)
    }
    git('init', '-q', '-b', 'main')
    commit(program(100), 'first')
    git('tag', 'v1')
    commit(program(50), 'second')
    commit('process.exit(3)', 'broken')
    git('tag', 'broken')
    commit(program(50), 'mended')
    await use(repository)
  },
})

describe('toolscope diff --git', () => {
  let temporary: string
  let environment: Record<string, string>
  beforeEach<{ folder: string }>(({ folder }) => {
    temporary = join(folder, 'tmp')
    mkdirSync(temporary)
    environment = { TMPDIR: temporary, TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  })
  const worktrees = (repository: string) =>
    String(execFileSync('git', ['-C', repository, 'worktree', 'list']))
      .trim()
      .split('\n').length
  const command = ['--install', 'node install.mjs', '--', 'node', 'program.mjs']

  test('installs and compares two revisions, keeps the work tree, and leaves no checkout', async ({
    repository,
  }) => {
    const file = join(repository, 'tools/program.mjs')
    writeFileSync(file, 'not committed')
    const directory = join(repository, 'tools')
    const run = await runToolscope(['diff', '--git', 'v1', ...command], { directory, environment })
    expect([run.code, run.stderr]).toEqual([5, expect.stringContaining('node install.mjs')])
    expect(run.stdout).toMatch(/^v1 \([0-9a-f]{8}\) → HEAD \([0-9a-f]{8}\)/)
    expect(run.stdout).toContain('maximum lowered: 100 → 50')
    expect(readFileSync(file, 'utf8')).toBe('not committed')
    expect([worktrees(repository), readdirSync(temporary)]).toEqual([1, []])
  })

  test('says which revision does not have the folder of the command', async ({ repository }) => {
    const directory = join(repository, 'fresh')
    mkdirSync(directory)
    const run = await runToolscope(['diff', '--git', 'v1', 'HEAD', '--', 'node', 'program.mjs'], {
      directory,
      environment,
    })
    expect([run.code, run.stderr]).toEqual([3, expect.stringMatching(/v1 \(\w{8}\) has no folder fresh/)])
    expect([worktrees(repository), readdirSync(temporary)]).toEqual([1, []])
  })

  test('says what fails, and leaves no checkout', async ({ repository }) => {
    const directory = join(repository, 'tools')
    const diff = (...words: string[]) => runToolscope(['diff', '--git', ...words], { directory, environment })
    const cases = [
      [['v1', 'broken', ...command], 3, 'program.mjs'],
      [['v1', '--install', 'node none.mjs', '--', 'node', 'program.mjs'], 3, 'node none.mjs failed'],
      // Nothing is installed in the checkout.
      [['v1', '--', 'node', 'program.mjs'], 3, 'add --install "npm ci".'],
      [['v1', '--', 'node', 'none.mjs'], 3, 'add --install "npm ci".'],
      [['v1', '--', 'none'], 3, 'add --install "npm ci".'],
      [['v9', ...command], 3, 'git knows no revision "v9"'],
      [['--', 'node', 'program.mjs'], 2, 'takes revisions and a command'],
      [['v1'], 2, 'takes revisions and a command'],
    ] as const
    for (const [words, code, text] of cases) {
      const run = await diff(...words)
      expect([words, run.code, run.stderr]).toEqual([words, code, expect.stringContaining(text)])
    }
    expect([worktrees(repository), readdirSync(temporary)]).toEqual([1, []])
  })
})
