/** The diff page of a project: what it offers before anything is chosen, and the rules that toolscope.json names. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, testServed } from './support/toolscope.ts'

interface Project extends Running {
  /** Writes a file of the project: JSON, or the text itself. */
  readonly save: (name: string, content: unknown) => void
  readonly fingerprint: string
}

const manifest = (maximum: number, description = 'Deploys.') => ({
  tools: [
    {
      name: 'deploy',
      description,
      inputSchema: { type: 'object', properties: { batch: { type: 'integer', maximum } } },
    },
  ],
})

/** A repository whose manifest changed in two commits and once more since, served. */
async function startProject(folder: string): Promise<Project> {
  const save = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { stdio: 'pipe' })
  const commit = (message: string) => {
    git('add', '-A')
    git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', message)
  }
  save('toolscope.json', { sources: { shop: { manifest: 'tools.json' } }, diff: { ignore: 'ignore.json' } })
  save('ignore.json', { ignore: [] })
  save('tools.json', manifest(100))
  git('init', '-q', '-b', 'main')
  commit('The first list')
  save('tools.json', manifest(70))
  commit('A batch is at most 70')
  const running = await startToolscope([], folder)
  save('tools.json', manifest(50, 'Deploys a build.'))
  const changed = async () => {
    const { versions } = await (await running.request('/api/sources/shop/versions')).json()
    return versions.filter(({ kind }: { kind: string }) => kind === 'snapshot').length
  }
  await expect.poll(changed).toBe(2)
  const { report } = await (await running.request('/api/diff?a=shop@1&b=shop')).json()
  return { ...running, save, fingerprint: report.changes[0].fingerprint }
}

const test = testServed(startProject)

test('diff page: offers what can be compared now, each by one click', async ({ page, served }) => {
  await page.goto(served.urlOf('/diff'))
  const versions = page.getByRole('region', { name: 'Newest version against the one before' })
  await expect(versions.getByRole('button')).toHaveText(/shop.*@1 → now.*1 breaking.*1 info/)
  const commits = page.getByRole('region', { name: 'Commits that changed a manifest' })
  await expect(commits.getByRole('button')).toHaveText([
    /shop.*→ now.*since the last commit/,
    /shop.*A batch is at most 70.*1 breaking/,
  ])
  await expect(page.getByText('git:HEAD~3:tools.json')).toBeHidden()
  await page.getByText('Other references').click()
  await expect(page.getByText('git:HEAD~3:tools.json')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'nothing chosen')

  await versions.getByRole('button').click()
  await expect(page).toHaveURL(/a=shop(?:@|%40)1&b=shop/)
  await expect(page.getByTestId('diff-summary')).toContainText('may no longer work: 1 breaking change.')
  await expect(page.getByRole('region', { name: 'Report' })).toBeFocused()
  await page.goBack()
  await commits.getByRole('button').nth(1).click()
  await expect(page.getByTestId('change').first()).toContainText('100 → 70')

  await page.goto(served.urlOf('/diff'))
  const file = (name: string, maximum: number) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(manifest(maximum))),
  })
  await page.getByLabel('Files to compare').setInputFiles([file('a.json', 9), file('b.json', 8)])
  await expect(page.getByTestId('diff-summary')).toContainText('may no longer work: 1 breaking change.')
})

test('diff page: shows the hidden changes and the expired, unused and broken parts of an ignore file', async ({
  page,
  served,
}) => {
  const { fingerprint, save } = served
  const entry = (of: string, reason: string, expires?: string) => ({ fingerprint: of, reason, expires })
  save('ignore.json', {
    ignore: [entry(fingerprint, 'No caller sends more than 50.'), entry('1a2b3c4d', 'Long ago.')],
  })
  await page.goto(served.urlOf('/diff?a=shop@1&b=shop'))
  await expect(page.getByTestId('diff-summary')).toContainText('still works.')
  const rules = page.getByTestId('diff-rules')
  await expect(rules).toContainText('Ignored by ignore.json: 1 · 1 unused')
  await rules.locator('summary').click()
  const hidden = rules.getByRole('region', { name: 'Ignored changes' })
  await expect(hidden).toContainText(/breaking.*deploy.*maximum lowered: 70 → 50/)
  await expect(hidden).toContainText('No caller sends more than 50.')
  await expect(rules.getByRole('region', { name: 'Unused' })).toContainText('Long ago.')
  await expectNoViolationsWideAndNarrow(page, 'followed rules')

  // The list of versions counts by the same rules.
  await page.goto(served.urlOf('/?about=shop'))
  const { versions } = await (await served.request('/api/sources/shop/versions')).json()
  expect(versions[0].counts).toEqual({ breaking: 0, dangerous: 0, warning: 0, info: 1 })

  save('ignore.json', { ignore: [entry(fingerprint, 'No caller sends more than 50.', '2020-01-01')] })
  save('rules.json', { rules: { 'description-changed': 'off' } })
  save('toolscope.json', {
    sources: { shop: { manifest: 'tools.json' } },
    diff: { ignore: 'ignore.json', rules: 'rules.json' },
  })
  await page.goto(served.urlOf('/diff?a=shop@1&b=shop'))
  await expect(page.getByTestId('diff-summary')).toContainText('may no longer work: 1 breaking change.')
  await expect(rules).toContainText(
    'Rules: rules.json · 1 switched off · ignored by ignore.json: 0 · 1 expired',
  )
  await rules.locator('summary').click()
  await expect(rules.getByRole('region', { name: 'Expired' })).toContainText('ended on 2020-01-01')
  await expect(rules).toContainText('off · 1 change of this comparison')

  save('ignore.json', '{ "ignore": [ }')
  await page.getByRole('button', { name: 'Compare again' }).click()
  await expect(page.getByRole('alert')).toContainText('the report below is from before')
  await page.reload()
  await expect(page.getByRole('alert')).toContainText(/ignore\.json:1.*"ignore" of "diff".*Fix the file/s)
  await expectNoViolationsWideAndNarrow(page, 'broken rules')
  await expect.poll(served.stderr).toContain('Changes are not counted:')
})
