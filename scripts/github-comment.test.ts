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
      'POST /graphql',
      'GET /repos/acme/tools/issues/7/comments',
      'POST /repos/acme/tools/issues/7/comments',
      'POST /graphql',
      'GET /repos/acme/tools/issues/7/comments',
      'PATCH /repos/acme/tools/issues/comments/2',
    ].map(line => `${line} Bearer token-of-the-run`),
  )
})

test('github comment: a comment with the mark by another author stays as it is', async ({ folder, api }) => {
  api.comments.push(
    { id: 1, body: `${mark}\nAll is well.`, user: { login: 'mallory' } },
    { id: 2, body: `${mark}\nAll is well.`, user: null },
    { id: 3, body: `${mark}\nAll is well.`, user: { login: 'other-app[bot]' } },
  )
  await writeComment(folder, api)
  await writeComment(folder, api, 'Again\n')
  expect(api.comments.map(({ body }) => body)).toEqual([
    ...Array(3).fill(`${mark}\nAll is well.`),
    `${mark}\nAgain\n`,
  ])
})

test('github comment: the author is the account of the token, not always the bot', async ({
  folder,
  api,
}) => {
  api.viewer = 'release-person'
  api.comments.push(
    { id: 1, body: `${mark}\nOf the bot`, user: { login: bot } },
    { id: 2, body: `${mark}\nOf the account`, user: { login: 'release-person' } },
  )
  await writeComment(folder, api)
  expect(api.comments.map(({ body }) => body)).toEqual([`${mark}\nOf the bot`, `${mark}\nThe report\n`])
})

test('github comment: the author is the bot if the API does not say who the token is', async ({
  folder,
  api,
}) => {
  api.viewer = null
  api.comments.push(
    { id: 1, body: `${mark}\nOf a stranger`, user: { login: 'mallory' } },
    { id: 2, body: `${mark}\nOf the bot`, user: { login: bot } },
  )
  await writeComment(folder, api)
  expect(api.comments.map(({ body }) => body)).toEqual([`${mark}\nOf a stranger`, `${mark}\nThe report\n`])
})

test('github comment: the newest own comment is changed, also on a later page', async ({ folder, api }) => {
  const comments = Array.from({ length: 150 }, (_, index) => ({
    id: index + 1,
    body: index === 3 || index === 120 ? `${mark}\nOld` : 'Nice work!',
    user: { login: bot },
  }))
  api.comments.push(...comments)
  await writeComment(folder, api)
  expect(api.comments[3]?.body).toBe(`${mark}\nOld`)
  expect(api.comments[120]?.body).toBe(`${mark}\nThe report\n`)
  expect(api.comments).toHaveLength(150)
})

for (const status of [403, 404])
  test(`github comment: a new one is written if the change of the old one is refused with ${status}`, async ({
    folder,
    api,
  }) => {
    api.comments.push({ id: 1, body: `${mark}\nOld`, user: { login: bot } })
    api.refusals = { PATCH: status }
    const { code, output } = await writeComment(folder, api)
    expect([code, output]).toEqual([0, expect.stringContaining(`::notice::`)])
    expect(api.comments.map(({ body }) => body)).toEqual([`${mark}\nOld`, `${mark}\nThe report\n`])
  })

test('github comment: a refused one is a warning that says what to do, and no failure', async ({
  folder,
  api,
}) => {
  api.refusals = { POST: 403 }
  const { code, output } = await writeComment(folder, api)
  expect(code).toBe(0)
  expect(output).toMatch(/^::warning::.*POST answered 403.*`pull-requests: write`.*fork.*summary.*\n$/)
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
