/** The script of action.yml that writes the comment of a pull request, against a stand-in for GitHub's API. */
import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { test as base } from '../server/testing/folder-test.ts'
import { compareVariables, runScript, startCommentApi } from './github-action.testkit.ts'

const mark = '<!-- toolscope diff -->'
const bot = 'github-actions[bot]'

const test = base.extend<{ api: Awaited<ReturnType<typeof startCommentApi>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter's shape.
  api: async ({}, use) => {
    const api = await startCommentApi()
    await use(api)
    api.stop()
  },
})

/** Runs the script with a report as the step before wrote it. */
function writeComment(
  folder: string,
  api: Awaited<ReturnType<typeof startCommentApi>>,
  report = 'The report\n',
) {
  const variables = { ...compareVariables(folder, { base: 'a', head: 'b' }), ...api.variables }
  writeFileSync(variables.TOOL_REPORT, report)
  return runScript('github-comment.mjs', folder, variables)
}

test('github comment: is written once and then kept up to date', async ({ folder, api }) => {
  api.comments.push({ id: 1, body: 'Nice work!', user: { login: 'octocat' } })
  expect(await writeComment(folder, api, 'First\n')).toEqual({ code: 0, output: '' })
  expect(await writeComment(folder, api, 'Second\n')).toEqual({ code: 0, output: '' })
  expect(api.comments.map(comment => comment.body)).toEqual(['Nice work!', `${mark}\nSecond\n`])
  expect(api.requests).toEqual(
    [
      'GET /repos/acme/tools/issues/7/comments',
      'POST /repos/acme/tools/issues/7/comments',
      'GET /repos/acme/tools/issues/7/comments',
      'PATCH /repos/acme/tools/issues/comments/2',
    ].map(line => `${line} Bearer token-of-the-run`),
  )
})

test('github comment: no second one is written if the API fails for another reason', async ({
  folder,
  api,
}) => {
  api.comments.push({ id: 1, body: `${mark}\nOld`, user: { login: bot } })
  api.refusals = { PATCH: 500 }
  const { code, output } = await writeComment(folder, api)
  expect([code, output]).toEqual([0, expect.stringContaining('PATCH answered 500')])
  expect(api.comments).toHaveLength(1)
})

test('github comment: none is written for an event without a pull request', async ({ folder, api }) => {
  const variables = { ...compareVariables(folder), ...api.variables }
  writeFileSync(variables.TOOL_REPORT, 'The report\n')
  expect(await runScript('github-comment.mjs', folder, variables)).toEqual({ code: 0, output: '' })
  expect(api.requests).toEqual([])
})
