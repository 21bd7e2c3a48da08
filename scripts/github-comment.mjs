/**
 * The step of action.yml that keeps one comment of the pull request up to date with the report. Only this step has the
 * token. Uses no packages.
 */
import { readFileSync } from 'node:fs'
import { annotate, readPullRequest, readVariable } from './action-step.mjs'

/** This line identifies our comment. GitHub does not show it. */
const mark = '<!-- toolscope diff -->'

const pull = readPullRequest()
if (pull !== undefined) await keepComment(readFileSync(readVariable('TOOL_REPORT'), 'utf8'))

async function keepComment(report) {
  const repository = `/repos/${readVariable('GITHUB_REPOSITORY')}`
  const comments = `${repository}/issues/${pull.number}/comments`
  // The report itself stays below GitHub's limit (core/report/diff-markdown.ts). Cutting it here could end a code span.
  const body = `${mark}\n${report}`
  try {
    const own = await findComment(comments)
    if (own === undefined) await request('POST', comments, { body })
    else await request('PATCH', `${repository}/issues/comments/${own.id}`, { body })
  } catch (thrown) {
    // A pull request from a fork has a read-only token: the report is still in the summary.
    annotate('notice', `The comment could not be written: ${thrown.message}`)
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
  const response = await fetch(`${process.env.GITHUB_API_URL ?? 'https://api.github.com'}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${readVariable('TOOL_TOKEN')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} answered ${response.status}`)
  return response.json()
}
