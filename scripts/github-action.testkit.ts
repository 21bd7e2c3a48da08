/** A runner of action.yml for tests: a real repository, an event as GitHub writes it, and a stand-in for its API. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { project } from './project.mjs'
import { program } from './toolscope-program.ts'

/** A program that prints a list with one tool, whose input has a maximum. */
export const listProgram = (maximum: number) =>
  `console.log(JSON.stringify({ tools: [{ name: 'deploy', inputSchema: { type: 'object', properties: { batch: { type: 'integer', maximum: ${maximum} } } } }] }))`

/** A git repository in `folder`. */
export function startRepository(folder: string) {
  const directory = join(folder, 'repository')
  mkdirSync(directory)
  const git = (...words: string[]) =>
    String(execFileSync('git', ['-C', directory, ...words], { stdio: ['ignore', 'pipe', 'ignore'] })).trim()
  git('init', '-q', '-b', 'main')
  return {
    directory,
    git,
    /** Commits a text as list.mjs and returns the commit. */
    commit(text: string): string {
      writeFileSync(join(directory, 'list.mjs'), text)
      git('add', '-A')
      git(
        '-c',
        'user.name=T',
        '-c',
        'user.email=t@example.com',
        'commit',
        '-q',
        '--allow-empty',
        '-m',
        'list',
      )
      return git('rev-parse', 'HEAD')
    },
  }
}

/** Runs a script of scripts/ with variables added to those of the test; resolves with its exit code and output. */
export async function runScript(name: string, directory: string, variables: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [project(`scripts/${name}`)], {
    cwd: directory,
    env: { ...process.env, ...variables },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
  const [code] = await once(child, 'close')
  return { code, output }
}

/** Returns the variables that action.yml and the runner set for the step that compares. */
export function compareVariables(folder: string, pull?: { base: string; head: string }) {
  const event = pull && { pull_request: { number: 7, base: { sha: pull.base }, head: { sha: pull.head } } }
  writeFileSync(join(folder, 'event.json'), JSON.stringify(event ?? {}))
  return {
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_WORKSPACE: join(folder, 'repository'),
    TOOL_COMMAND: 'node list.mjs',
    TOOL_DIRECTORY: '.',
    TOOL_PROGRAM: `"${process.execPath}" "${program}"`,
    TOOL_REPORT: join(folder, 'report.md'),
    TOOL_SARIF: join(folder, 'toolscope.sarif'),
  }
}

export interface StandInComment {
  readonly id: number
  body: string
  readonly user: { readonly login: string } | null
}

/**
 * Starts a stand-in for GitHub's API with the comments of pull request 7. A test changes `comments`, `viewer` (the
 * login of the token; null: the question is refused) and `refusals` (a method with the status that it answers).
 */
export async function startCommentApi() {
  const state = {
    comments: [] as StandInComment[],
    viewer: 'github-actions[bot]' as string | null,
    refusals: {} as Record<string, number>,
    /** Method, path and authorization of each request. */
    requests: [] as string[],
  }
  const answer = (response: ServerResponse, status: number, data: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data))
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const method = request.method ?? ''
    state.requests.push(`${method} ${pathname} ${request.headers.authorization}`)
    let text = ''
    for await (const chunk of request) text += chunk
    if (pathname === '/graphql')
      return state.viewer === null
        ? answer(response, 200, { data: null, errors: [{ message: 'Resource not accessible' }] })
        : answer(response, 200, { data: { viewer: { login: state.viewer } } })
    const refusal = state.refusals[method]
    if (refusal !== undefined) return answer(response, refusal, { message: 'Refused' })
    if (method === 'GET') {
      const first = (Number(searchParams.get('page')) - 1) * 100
      return answer(response, 200, state.comments.slice(first, first + 100))
    }
    const { body } = JSON.parse(text)
    const id = method === 'PATCH' ? Number(pathname.split('/').at(-1)) : state.comments.length + 1
    const known = state.comments.find(comment => comment.id === id)
    if (known !== undefined) known.body = body
    else state.comments.push({ id, body, user: { login: state.viewer ?? 'github-actions[bot]' } })
    return answer(response, 200, { id })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    /** The variables that action.yml and the runner set for the step that writes the comment. */
    variables: {
      GITHUB_REPOSITORY: 'acme/tools',
      GITHUB_API_URL: address,
      GITHUB_GRAPHQL_URL: `${address}/graphql`,
      TOOL_TOKEN: 'token-of-the-run',
    },
    stop: () => server.close(),
  })
}
