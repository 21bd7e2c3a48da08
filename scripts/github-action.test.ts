/** The script of action.yml in a real repository, with an event as GitHub writes it and a stand-in for its API. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../server/testing/folder-test.ts'
import { project } from './project.mjs'
import { program } from './toolscope-program.ts'

const list = (maximum: number) =>
  `console.log(JSON.stringify({ tools: [{ name: 'deploy', inputSchema: { type: 'object', properties: { batch: { type: 'integer', maximum: ${maximum} } } } }] }))`

test('GitHub action: keeps one comment with the breaking input up to date, and writes a SARIF file', async ({
  folder,
}) => {
  const repository = join(folder, 'repository')
  mkdirSync(repository)
  const git = (...words: string[]) =>
    String(execFileSync('git', ['-C', repository, ...words], { stdio: ['ignore', 'pipe', 'ignore'] })).trim()
  const commit = (maximum: number) => {
    writeFileSync(join(repository, 'list.mjs'), list(maximum))
    git('add', '-A')
    git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', String(maximum))
    return git('rev-parse', 'HEAD')
  }
  git('init', '-q')
  const [base, head, mended] = [commit(100), commit(50), commit(200)]

  const comments: { id: number; body: string }[] = [{ id: 1, body: 'Nice work!' }]
  const asked: string[] = []
  const api = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.method === 'POST') comments.push({ id: comments.length + 1, ...JSON.parse(text) })
    if (request.method === 'PATCH') Object.assign(comments.at(-1) ?? {}, JSON.parse(text))
    response.setHeader('content-type', 'application/json').end(JSON.stringify(comments))
  })
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve))
  const sarif = join(folder, 'toolscope.sarif')
  const run = async (pullHead: string, more: Record<string, string> = {}) => {
    const event = { pull_request: { number: 7, base: { sha: base }, head: { sha: pullHead } } }
    writeFileSync(join(folder, 'event.json'), JSON.stringify(event))
    const child = spawn(process.execPath, [project('scripts/github-action.mjs')], {
      cwd: repository,
      env: {
        ...process.env,
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        GITHUB_REPOSITORY: 'acme/tools',
        GITHUB_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
        GITHUB_OUTPUT: join(folder, 'output'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
        TOOL_COMMAND: 'node list.mjs',
        TOOL_PROGRAM: `"${process.execPath}" "${program}"`,
        TOOL_TOKEN: 'token-of-the-run',
        TOOL_SARIF: sarif,
        GITHUB_ENV: join(folder, 'github-env'),
        ...more,
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
    const [code] = await once(child, 'close')
    return { code, output }
  }
  try {
    const broken = await run(head)
    expect([broken.code, broken.output]).toEqual([5, expect.stringContaining('::error')])
    expect(comments).toHaveLength(2)
    expect(comments[1]?.body).toContain('maximum lowered: 100 → 50')
    expect(comments[1]?.body).toContain('`{"batch":51}` worked; now: /batch must not be above 50')
    expect(JSON.parse(readFileSync(sarif, 'utf8')).runs[0].results).toHaveLength(1)
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('sarif=true\n')
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('maximum lowered')

    expect((await run(mended)).code).toBe(0)
    expect(comments).toHaveLength(2)
    expect(comments[1]?.body).toContain('maximum raised')
    expect(comments[0]?.body).toBe('Nice work!')
    // What is given as a revision is an option or a refspec: the gate must not open.
    for (const base of [
      '-h',
      '--fail-on=dangerous',
      '--upload-pack=touch x',
      '+HEAD:refs/heads/evil',
      'a\n::error::b',
      ' ',
    ])
      expect(await run(head, { TOOL_BASE: base })).toEqual({
        code: 2,
        output: expect.stringContaining('is not a revision'),
      })
    expect(git('branch', '--list', 'evil')).toBe('')

    // The code of a pull request gets neither the token nor the files that steer the workflow.
    writeFileSync(
      join(repository, 'list.mjs'),
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(join(folder, 'seen'))}, Object.keys(process.env).join())\n${list(100)}`,
    )
    git('add', '-A')
    git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'Looks around')
    await run(git('rev-parse', 'HEAD'), { TOOL_COMMENT: 'false' })
    const seen = readFileSync(join(folder, 'seen'), 'utf8').split(',')
    expect(seen).toContain('PATH')
    for (const name of ['TOOL_TOKEN', 'GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'])
      expect(seen).not.toContain(name)

    expect(asked.map(line => line.replace(/\?.*? /, ' '))).toEqual([
      'GET /repos/acme/tools/issues/7/comments Bearer token-of-the-run',
      'POST /repos/acme/tools/issues/7/comments Bearer token-of-the-run',
      'GET /repos/acme/tools/issues/7/comments Bearer token-of-the-run',
      'PATCH /repos/acme/tools/issues/comments/2 Bearer token-of-the-run',
    ])
  } finally {
    api.close()
  }
})
