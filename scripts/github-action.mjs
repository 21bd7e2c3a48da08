/**
 * The step of action.yml that compares: runs `toolscope diff --git`, and writes annotations, a summary of the run, the
 * report for the comment (github-comment.mjs) and a file for code scanning. Uses no packages. It has no token: the code
 * of the pull request, which runs below it, can read the environment of its parent processes.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { parseNames, selectEnvironment } from './action-environment.mjs'
import { annotate, readPullRequest, readVariable } from './action-step.mjs'

const { env } = process

/** Only a revision: an option, a refspec or a line break would otherwise reach git and the program. */
const revisionPattern = /^[A-Za-z0-9_][\w./@^~-]{0,254}$/

const report = readVariable('TOOL_REPORT')
// An earlier step of the job may have used the action too.
rmSync(report, { force: true })
process.exitCode = compare()
const text = read(report)
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
  // By default the runner only has the merge commit.
  spawnSync('git', ['fetch', '--quiet', '--depth=1', '--end-of-options', 'origin', base, head], {
    stdio: 'inherit',
  })
  const [program, ...first] = words(readVariable('TOOL_PROGRAM'))
  const write = [`markdown=${report}`, ...(env.TOOL_SARIF ? [`sarif=${env.TOOL_SARIF}`] : [])].join(',')
  const args = ['diff', '--git', base, head, '--format', 'github', '--write', write]
  if (env.TOOL_FAIL_ON) args.push('--fail-on', env.TOOL_FAIL_ON)
  if (env.TOOL_INSTALL) args.push('--install', env.TOOL_INSTALL)
  const { status, error } = spawnSync(
    program,
    [...first, ...args, '--', ...words(readVariable('TOOL_COMMAND'))],
    { stdio: 'inherit', env: selectEnvironment(env, names) },
  )
  return error === undefined ? (status ?? 1) : fail(`Toolscope could not be started: ${error.message}`)
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

function fail(message) {
  annotate('error', message)
  return 2
}
