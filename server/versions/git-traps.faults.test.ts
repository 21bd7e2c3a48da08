import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  askGit,
  type GitAsker,
  gitHistory,
  gitManifest,
  gitRevision,
  repositoryAt,
} from './git-repository.ts'

/** The folder that a user unpacked or cloned, and the file that shows that a program of it was run. */
let folder: string
let proof: string
let evil: string

beforeEach(() => {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-trap-')))
  folder = join(outer, 'folder')
  proof = join(outer, 'ran')
  evil = join(outer, 'evil.sh')
  mkdirSync(folder)
  writeFileSync(evil, `#!/bin/sh\ntouch ${proof}\n`)
  chmodSync(evil, 0o755)
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

function git(directory: string, ...args: string[]): string {
  const words = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always']
  return execFileSync('git', [...words, ...args], {
    cwd: directory,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function writeManifest(directory: string): string {
  const path = join(directory, 'tools.json')
  writeFileSync(path, JSON.stringify({ tools: [{ name: 'one', inputSchema: { type: 'object' } }] }))
  return path
}

function commitManifest(directory: string): void {
  git(directory, 'init', '-q')
  writeManifest(directory)
  git(directory, 'add', 'tools.json')
  git(directory, 'commit', '-q', '-m', 'first')
}

/** Lets the repository name programs wherever its settings can, and lose what the last commit is made of. */
function arm(gitDirectory: string): void {
  const config = (key: string, value: string) =>
    git(folder, '--git-dir', gitDirectory, 'config', '--replace-all', key, value)
  const lost = ['HEAD:tools.json', 'HEAD:'].map(name =>
    git(folder, '--git-dir', gitDirectory, 'rev-parse', name).trim(),
  )
  for (const [key, value] of [
    ['core.sshCommand', evil],
    ['core.fsmonitor', evil],
    ['core.pager', evil],
    ['core.askPass', evil],
    ['core.gitProxy', evil],
    ['core.alternateRefsCommand', evil],
    ['credential.helper', `!${evil}`],
    ['gpg.program', evil],
    ['log.showSignature', 'true'],
    ['diff.external', evil],
    ['uploadpack.packObjectsHook', evil],
    ['remote.origin.url', 'ssh://example.invalid/x'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.partialclonefilter', 'blob:none'],
    ['remote.other.url', `ext::${evil}`],
    ['remote.other.promisor', 'true'],
    ['protocol.ext.allow', 'always'],
    ['protocol.allow', 'always'],
    ['extensions.partialClone', 'origin'],
    ['core.repositoryformatversion', '1'],
  ] as const)
    config(key, value)
  for (const id of lost) rmSync(join(gitDirectory, 'objects', id.slice(0, 2), id.slice(2)), { force: true })
}

async function askEverything(path: string, asker: GitAsker): Promise<void> {
  await gitRevision([path], asker)
  for (const version of await gitHistory(path, 10, asker)) await gitManifest(version, asker)
  const repository = repositoryAt(dirname(path))
  if (repository)
    for (const name of ['HEAD:tools.json', ':tools.json'])
      await askGit(repository, ['cat-file', 'blob', name], asker)
}

const asker: GitAsker = { environment, signal: new AbortController().signal }

test('git trap: runs its program when git is asked without care', () => {
  commitManifest(folder)
  arm(join(folder, '.git'))
  expect(() => git(folder, 'cat-file', 'blob', 'HEAD:tools.json')).toThrow()
  expect(existsSync(proof)).toBe(true)
})

test.each<[string, () => { path?: string; environment?: NodeJS.ProcessEnv }]>([
  [
    'an unpacked worktree with a promisor remote, programs in its settings and a missing object',
    () => {
      commitManifest(folder)
      arm(join(folder, '.git'))
      return {}
    },
  ],
  [
    'an embedded bare repository next to the manifest, inside a clone',
    () => {
      const inner = join(folder, 'inner')
      commitManifest(folder)
      git(folder, 'clone', '-q', '--bare', '.', 'inner')
      writeManifest(inner)
      git(inner, 'config', 'core.bare', 'false')
      git(inner, '--git-dir', '.', 'config', 'core.worktree', '.')
      arm(inner)
      expect(() => git(inner, 'cat-file', 'blob', 'HEAD:tools.json')).toThrow()
      expect(existsSync(proof)).toBe(true)
      rmSync(proof)
      return { path: join(inner, 'tools.json') }
    },
  ],
  [
    'a .git file that leads to settings elsewhere',
    () => {
      commitManifest(folder)
      arm(join(folder, '.git'))
      execFileSync('mv', [join(folder, '.git'), join(folder, 'hidden')])
      writeFileSync(join(folder, '.git'), 'gitdir: ./hidden\n')
      return {}
    },
  ],
  [
    'hooks of the repository',
    () => {
      commitManifest(folder)
      for (const name of ['post-index-change', 'reference-transaction', 'pre-auto-gc'])
        execFileSync('cp', [evil, join(folder, '.git/hooks', name)])
      arm(join(folder, '.git'))
      return {}
    },
  ],
  [
    'a program called git in the folder, and a search path that begins there',
    () => {
      commitManifest(folder)
      execFileSync('cp', [evil, join(folder, 'git')])
      return { environment: { ...environment, PATH: `.:${process.env.PATH}` } }
    },
  ],
  [
    'variables that name programs',
    () => {
      commitManifest(folder)
      arm(join(folder, '.git'))
      const variables = {
        GIT_SSH_COMMAND: evil,
        GIT_EXTERNAL_DIFF: evil,
        GIT_ASKPASS: evil,
        GIT_ALLOW_PROTOCOL: 'ext:ssh:file',
        GIT_NO_LAZY_FETCH: '0',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'core.fsmonitor',
        GIT_CONFIG_VALUE_0: evil,
      }
      return { environment: { ...environment, ...variables } }
    },
  ],
])('git trap: runs nothing by %s', async (_, build) => {
  const { path = join(folder, 'tools.json'), ...changed } = build()
  await askEverything(path, { ...asker, ...changed })
  expect(existsSync(proof)).toBe(false)
})

test('gitHistory: ignores variables that name another repository', async () => {
  commitManifest(folder)
  const variables = { GIT_DIR: '/nowhere', GIT_WORK_TREE: '/nowhere', GIT_INDEX_FILE: '/nowhere' }
  const found = await gitHistory(join(folder, 'tools.json'), 10, {
    ...asker,
    environment: { ...environment, ...variables },
  })
  expect(found).toHaveLength(1)
})

test('repositoryAt: ignores a repository of another user', async () => {
  commitManifest(folder)
  expect(repositoryAt(folder)).not.toBeNull()
  expect(repositoryAt(folder, (process.getuid?.() ?? 0) + 1)).toBeNull()
})
