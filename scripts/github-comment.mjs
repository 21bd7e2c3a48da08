/**
 * The step of action.yml that keeps one comment of the pull request up to date with the report. Only this step has the
 * token. Uses no packages.
 */
import { readFileSync } from 'node:fs'
import { annotate, readPullRequest, readVariable } from './action-step.mjs'

/** This line identifies our comment. GitHub does not show it. */
const mark = '<!-- toolscope diff -->'
/** The author of comments that are written with the token of a run. */
const runLogin = 'github-actions[bot]'

const pull = readPullRequest()
if (pull !== undefined) await keepComment(readFileSync(readVariable('TOOL_REPORT'), 'utf8'))

/** Changes our comment, or writes one. A refusal is a warning: only the comparison decides about the run. */
async function keepComment(report) {
  const repository = `/repos/${readVariable('GITHUB_REPOSITORY')}`
  const comments = `${repository}/issues/${pull.number}/comments`
  // The report itself stays below GitHub's limit (core/report/diff-markdown.ts). Cutting it here could end a code span.
  const body = `${mark}\n${report}`
  try {
    const own = await findComment(comments, await readOwnLogin())
    if (own === undefined || !(await changeComment(`${repository}/issues/comments/${own.id}`, body)))
      await request('POST', api(comments), { body })
  } catch (thrown) {
    annotate('warning', `The comment could not be written: ${thrown.message}. ${advise(thrown.status)}`)
  }
}

function advise(status) {
  const report = 'The report is in the summary of the run.'
  return status === 401 || status === 403 || status === 404
    ? `Give the job the permission \`pull-requests: write\`, or the input token one that has it; the token of a pull request from a fork is read-only, and a locked conversation takes no comments. ${report}`
    : report
}

/**
 * Returns the login of the account that the token acts as, as comments name their author: `github-actions[bot]` for the
 * token of a run. The REST API has no answer for such a token (GET /user is refused), GraphQL has.
 */
async function readOwnLogin() {
  try {
    const address = process.env.GITHUB_GRAPHQL_URL || 'https://api.github.com/graphql'
    const { data } = await request('POST', address, { query: '{ viewer { login } }' })
    return data?.viewer?.login ?? runLogin
  } catch {
    return runLogin
  }
}

/** Returns our newest comment: anyone can write one that begins with the mark. */
async function findComment(comments, login) {
  let own
  for (let page = 1; ; page++) {
    const list = await request('GET', api(`${comments}?per_page=100&page=${page}`))
    own = list.findLast(({ body, user }) => user?.login === login && body?.startsWith(mark)) ?? own
    if (list.length < 100) return own
  }
}

/** Returns false if the change is refused, or the comment was removed in the meantime. */
async function changeComment(path, body) {
  try {
    await request('PATCH', api(path), { body })
    return true
  } catch (thrown) {
    if (thrown.status !== 403 && thrown.status !== 404) throw thrown
    annotate('notice', `The comment of an earlier run could not be changed: ${thrown.message}`)
    return false
  }
}

function api(path) {
  return `${process.env.GITHUB_API_URL || 'https://api.github.com'}${path}`
}

/** Returns the data of the answer. Throws an Error, with the `status` if the service refuses. */
async function request(method, address, body) {
  const response = await fetch(address, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${readVariable('TOOL_TOKEN')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok)
    throw Object.assign(new Error(`${method} answered ${response.status}`), { status: response.status })
  return response.json()
}
