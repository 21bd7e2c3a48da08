/**
 * The program of action.yml: runs `toolscope diff --git`, and writes annotations, a summary of the run, a file for code
 * scanning, and one comment of the pull request, which it updates. Reads the environment that action.yml and GitHub
 * set. Uses no packages.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { env } = process
const event = JSON.parse(readFileSync(required('GITHUB_EVENT_PATH'), 'utf8'))
const pull = event.pull_request
/** This line identifies our comment. GitHub does not show it. */
const mark = '<!-- toolscope diff -->'

/** Only a revision: an option, a refspec or a line break would otherwise reach git and the program. */
const revisionPattern = /^[A-Za-z0-9_][\w./@^~-]*$/
/** The program starts the code of the pull request, which must not write comments or control the workflow. */
const withheld = new Set([
  'TOOL_TOKEN',
  ...['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_PATH', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY', 'GITHUB_TOKEN'],
  ...['ACTIONS_RUNTIME_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'],
])

const folder = mkdtempSync(join(tmpdir(), 'toolscope-action-'))
try {
  const report = join(folder, 'report.md')
  process.exitCode = compare(report)
  const text = read(report)
  if (text !== undefined) {
    // Both files are written together.
    if (env.GITHUB_OUTPUT && env.TOOL_SARIF) appendFileSync(env.GITHUB_OUTPUT, 'sarif=true\n')
    if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, text)
    if (env.TOOL_COMMENT !== 'false' && pull !== undefined) await keepComment(text)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the exit code of the comparison. */
function compare(report) {
  const [base, head] = [env.TOOL_BASE || pull?.base.sha, env.TOOL_HEAD || pull?.head.sha]
  if (base === undefined || head === undefined)
    return fail('Name base and head: this event is of no pull request.')
  for (const revision of [base, head])
    if (!revisionPattern.test(revision))
      return fail(
        `${JSON.stringify(revision.slice(0, 80))} is not a revision. Name a commit, a branch or a tag.`,
      )
  // By default the runner only has the merge commit.
  spawnSync('git', ['fetch', '--quiet', '--depth=1', '--end-of-options', 'origin', base, head], {
    stdio: 'inherit',
  })
  const [program, ...first] = words(required('TOOL_PROGRAM'))
  const write = [`markdown=${report}`, ...(env.TOOL_SARIF ? [`sarif=${env.TOOL_SARIF}`] : [])].join(',')
  const args = ['diff', '--git', base, head, '--format', 'github', '--write', write]
  if (env.TOOL_FAIL_ON) args.push('--fail-on', env.TOOL_FAIL_ON)
  if (env.TOOL_INSTALL) args.push('--install', env.TOOL_INSTALL)
  const { status, error } = spawnSync(
    program,
    [...first, ...args, '--', ...words(required('TOOL_COMMAND'))],
    {
      stdio: 'inherit',
      env: Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name))),
    },
  )
  return error === undefined ? (status ?? 1) : fail(`Toolscope could not be started: ${error.message}`)
}

async function keepComment(report) {
  const comments = `/repos/${required('GITHUB_REPOSITORY')}/issues/${pull.number}/comments`
  // The report itself stays below GitHub's limit (core/report/diff-markdown.ts). Cutting it here could end a code span.
  const body = `${mark}\n${report}`
  try {
    const own = await findComment(comments)
    if (own === undefined) await request('POST', comments, { body })
    else await request('PATCH', `/repos/${env.GITHUB_REPOSITORY}/issues/comments/${own.id}`, { body })
  } catch (thrown) {
    // A pull request from a fork has a read-only token: the report is still in the summary.
    console.log(`::notice::The comment could not be written: ${thrown.message}`)
  }
}

async function findComment(comments) {
  for (let page = 1; ; page++) {
    const list = await request('GET', `${comments}?per_page=100&page=${page}`)
    const own = list.find(comment => comment.body?.startsWith(mark))
    if (own !== undefined || list.length < 100) return own
  }
}

async function request(method, path, body) {
  const response = await fetch(`${env.GITHUB_API_URL ?? 'https://api.github.com'}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${required('TOOL_TOKEN')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} answered ${response.status}`)
  return response.json()
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Splits a command into words: quotes keep words together, and no shell runs. */
function words(command) {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain,
  )
}

function required(name) {
  const value = env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set; action.yml sets it.`)
  return value
}

function fail(message) {
  console.log(`::error::${message}`)
  return 2
}
