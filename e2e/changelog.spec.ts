/** The changelog of a source: its versions with what they broke, the way to the full comparison, and its export. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Running, runToolscope, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations, expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { test as base, expect } from './support/toolscope.ts'

const tool = (name: string, maximum: number) => ({
  name,
  inputSchema: {
    type: 'object',
    properties: { count: { type: 'integer', maximum } },
    required: ['count'],
  },
})

/** What each version lists. */
const versions = [
  [tool('send', 100), tool('get-page', 1), tool('purge', 1)],
  [tool('send', 200), tool('get-page', 1), tool('purge', 1)],
  [tool('send', 50), tool('get_page', 1), { name: 'weather forecast', inputSchema: { type: 'object' } }],
]

interface Fixtures {
  readonly environment: NodeJS.ProcessEnv
  /** Keeps every version of `mail`. */
  readonly keepVersions: () => Promise<void>
}

const test = base.extend<Fixtures>({
  environment: ({ folder }, use) =>
    use({
      TOOLSCOPE_DATA_DIR: join(folder, 'data'),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    }),
  keepVersions: ({ folder, environment }, use) =>
    use(async () => {
      for (const tools of versions) {
        writeFileSync(join(folder, 'mail.json'), JSON.stringify({ tools }))
        const run = await runToolscope(['snapshot', 'mail.json'], { directory: folder, environment })
        expect(run.code, run.stderr).toBe(0)
      }
    }),
})

test('changelog: lists the versions of a source with their breaks and inputs, and links to the full comparison', async ({
  page,
  folder,
  environment,
  keepVersions,
}) => {
  await keepVersions()
  const running: Running = await startToolscope(['mail.json'], folder, environment)
  try {
    await page.goto(running.urlOf('/?about=mail'))
    await page.getByRole('link', { name: 'Changelog' }).click()
    await expect(page).toHaveURL(/\/changelog\?source=mail$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Changelog of mail')
    const entries = page.getByTestId('changelog-version')
    await expect(entries).toHaveCount(3)
    await expect(entries.nth(0)).toContainText('mail@3')
    await expect(entries.nth(0)).toContainText('major')
    await expect(entries.nth(0)).toContainText('maximum lowered: 200 → 50')
    await expect(entries.nth(0)).toContainText('{"count":51}')
    await expect(entries.nth(0)).toContainText('purge')
    await expect(entries.nth(0)).toContainText('get-page → get_page')
    await expect(entries.nth(0)).toContainText('weather forecast')
    await expect(entries.nth(1)).toContainText('minor')
    await expect(entries.nth(2)).toContainText('First version: 3 tools.')
    await expectNoViolationsWideAndNarrow(page, 'changelog')
    await page.getByRole('link', { name: 'Full comparison of mail@2 and mail@3' }).click()
    await expect(page).toHaveURL(/\/diff\?a=mail(?:@|%40)2&b=mail(?:@|%40)3/)
    await expect(page.getByTestId('change').filter({ hasText: '200 → 50' })).toHaveCount(1)
    // A version that comes while the changelog is open.
    await page.goto(`${running.origin}/changelog?source=mail`)
    await expect(entries).toHaveCount(3)
    writeFileSync(join(folder, 'mail.json'), JSON.stringify({ tools: [tool('send', 50)] }))
    await expect(entries).toHaveCount(4)
    await expect(entries.nth(0)).toContainText('mail@4')
    await page.goto(`${running.origin}/changelog?source=nothing`)
    await expect(page.getByText('No version of nothing is known yet')).toBeVisible()
    await expectNoViolations(page, 'no changelog')
  } finally {
    await running.stop()
  }
})

test('changelog: appears in the exported site with a feed, and only with --changelog', async ({
  page,
  folder,
  environment,
  keepVersions,
}) => {
  await keepVersions()
  const exportTo = async (site: string, ...options: string[]) => {
    const run = await runToolscope(['export', 'mail.json', '-o', site, ...options], {
      directory: folder,
      environment,
    })
    expect(run.code, run.stderr).toBe(0)
    return pathToFileURL(join(folder, site, 'index.html')).href
  }
  const url = await exportTo('site', '--changelog')
  await page.goto(`${url}#/?about=mail`)
  await page.getByRole('link', { name: 'Changelog' }).click()
  const entries = page.getByTestId('changelog-version')
  await expect(entries).toHaveCount(3)
  await expect(entries.nth(0)).toContainText('{"count":51}')
  await expectNoViolations(page, 'changelog of an export')
  const feed = await page.getByRole('link', { name: 'JSON Feed' }).getAttribute('href')
  expect(JSON.parse(readFileSync(join(folder, 'site', feed ?? ''), 'utf8'))).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Changelog of mail',
    items: [{ id: 'mail@3', tags: ['major'] }, { id: 'mail@2' }, { id: 'mail@1' }],
  })
  await page.getByRole('link', { name: 'Full comparison of mail@2 and mail@3' }).click()
  await expect(page.getByTestId('change').filter({ hasText: '200 → 50' })).toHaveCount(1)

  await page.goto(`${await exportTo('plain')}#/?about=mail`)
  await expect(page.getByRole('link', { name: 'Compare the two' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Changelog' })).toHaveCount(0)
  // The feed of an earlier export goes when the next one has none.
  await exportTo('site')
  expect(() => readFileSync(join(folder, 'site', feed ?? ''))).toThrow('ENOENT')
})
