/**
 * The step of action.yml that compares: runs `toolscope diff --git`, and writes annotations, a summary of the run, the
 * report for the comment (github-comment.mjs) and a file for code scanning. Uses no packages. It has no token: the code
 * of the pull request, which runs below it, can read the environment of its parent processes.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseNames, selectEnvironment } from './action-environment.mjs'
import { annotate, readPullRequest, readVariable } from './action-step.mjs'

const { env } = process

/** Only a revision: an option, a refspec or a line break would otherwise reach git and the program. */
const revisionPattern = /^[A-Za-z0-9_][\w./@^~-]{0,254}$/

/** The exit codes of `toolscope diff` with a report. With another one, the file is by the code under test. */
const reported = [0, 5]

const report = readVariable('TOOL_REPORT')
// An earlier step of the job may have used the action too.
rmSync(report, { force: true, recursive: true })
const exitCode = compare()
process.exitCode = exitCode
const text = reported.includes(exitCode) ? read(report) : undefined
if (text !== undefined) {
  // Both files are written together.
  const written = ['report=true', ...(env.TOOL_SARIF ? ['sarif=true'] : [])].join('\n')
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `${written}\n`)
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, text)
}

/** Returns the exit code of the comparison. */
function compare() {
  const pull = readPullRequest()
  const [base, head] = [env.TOOL_BASE || pull?.base.sha, env.TOOL_HEAD || pull?.head.sha]
  if (base === undefined || head === undefined)
    return fail('Name base and head: this event is of no pull request.')
  for (const revision of [base, head])
    if (!revisionPattern.test(revision))
      return fail(
        `${JSON.stringify(revision.slice(0, 80))} is not a revision. Name a commit, a branch or a tag.`,
      )
  const names = parseNames(env.TOOL_ENV ?? '')
  if (names === undefined)
    return fail('The input env lists names of variables, without values. Set the values in env of the job.')
  const command = words(env.TOOL_COMMAND ?? '')
  if (command === undefined) return fail('A quote is not closed in the input command.')
  if (command.length === 0) return fail('Name the command that starts the server or prints the list.')
  const folder = env.TOOL_DIRECTORY || '.'
  if (!isPlainFolder(folder))
    return fail(
      `The working directory ${JSON.stringify(folder)} is behind a symbolic link. Name the folder itself.`,
    )
  // By default the runner only has the merge commit.
  spawnSync('git', ['fetch', '--quiet', '--depth=1', '--end-of-options', 'origin', base, head], {
    stdio: 'inherit',
  })
  const [program, ...first] = words(readVariable('TOOL_PROGRAM'))
  const write = [`markdown=${report}`, ...(env.TOOL_SARIF ? [`sarif=${env.TOOL_SARIF}`] : [])].join(',')
  const args = ['diff', '--git', base, head, '--format', 'github', '--write', write]
  if (env.TOOL_FAIL_ON) args.push('--fail-on', env.TOOL_FAIL_ON)
  if (env.TOOL_INSTALL) args.push('--install', env.TOOL_INSTALL)
  const { status, error } = spawnSync(program, [...first, ...args, '--', ...command], {
    stdio: 'inherit',
    env: selectEnvironment(env, names),
  })
  return error === undefined ? (status ?? 1) : fail(`Toolscope could not be started: ${error.message}`)
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Whether no symbolic link leads from the workspace to a folder. The process only knows the target of a link: a pull
 * request that makes the folder a link would have another folder compared at both revisions.
 */
function isPlainFolder(folder) {
  const workspace = readVariable('GITHUB_WORKSPACE')
  const inside = relative(workspace, resolve(workspace, folder))
  return realpathSync(resolve(workspace, folder)) === resolve(realpathSync(workspace), inside)
}

/** Splits a command into words: quotes keep words together, and no shell runs. Undefined if a quote is not closed. */
function words(command) {
  const word = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g
  if (/["']/.test(command.replace(word, ''))) return undefined
  return [...command.matchAll(word)].map(([text]) =>
    text.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  )
}

function fail(message) {
  annotate('error', message)
  return 2
}
