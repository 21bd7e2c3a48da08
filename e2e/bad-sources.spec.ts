/** Sources that are broken, huge or hostile: a clear error or a working list, and a server that goes on. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { project } from '../scripts/project.mjs'
import { type Running, startToolscope } from '../scripts/toolscope-program.ts'
import { expect, test } from './support/toolscope.ts'

interface SourceRow {
  readonly name: string
  readonly status: string
  readonly toolCount: number
  readonly error?: { code: string; detail: string; hint: string }
}

const fixture = (name: string) => `node ${project(`server/sources/fixtures/${name}.mjs`)}`

async function sourcesOf(running: Running): Promise<SourceRow[]> {
  return (await (await running.request('/api/sources')).json()).sources
}

test('broken sources: say what happened, and leave the good sources working', async ({ folder }) => {
  writeFileSync(join(folder, 'broken.json'), '{"tools": [')
  const bad = ['prints-html', 'huge-manifest', 'date-broken'].map(fixture)
  const running = await startToolscope([
    ...bad,
    join(folder, 'broken.json'),
    fixture('invalid-utf8'),
    fixture('root-leaf'),
    'no-such-program',
    folder,
  ])
  try {
    expect(running.stderr()).toContain('no-such-program')
    expect(running.stderr()).toContain('has no functions.json or mcp.json')
    await expect
      .poll(async () => (await sourcesOf(running)).every(source => source.status !== 'opening'))
      .toBe(true)
    const byName = new Map((await sourcesOf(running)).map(source => [source.name, source]))
    for (const name of ['prints-html', 'huge-manifest', 'date-broken', 'broken']) {
      expect(byName.get(name)?.status, name).toBe('failed')
      expect(byName.get(name)?.error?.hint, name).toBeTruthy()
    }
    expect(byName.get('invalid-utf8')?.status).toBe('ready')
    expect(byName.get('root-leaf')?.toolCount).toBe(1)
    expect((await fetch(`${running.origin}/api/health`)).status).toBe(200)
  } finally {
    await running.stop()
  }
})

test('catalog: draws few rows of 50,000 tools, finds one by search and opens it', async ({ page }) => {
  const running = await startToolscope([fixture('many-tools')])
  try {
    await page.goto(running.urlOf('/'))
    await expect(page.getByTestId('catalog-count')).toContainText('50,000')
    expect(await page.getByTestId('catalog-row').count()).toBeLessThan(100)
    await page.getByTestId('catalog-search').fill('49999')
    await expect(page.getByTestId('catalog-row').and(page.locator('[data-tool]')).first()).toBeVisible()
    await page.getByTestId('catalog-row').and(page.locator('[data-tool]')).first().click()
    await expect(page.getByTestId('tool-form')).toBeVisible()
  } finally {
    await running.stop()
  }
})

test('hostile tool names: appear as text, can be requested and opened, and run nothing', async ({ page }) => {
  const running = await startToolscope([fixture('hostile-names')])
  const accidents: string[] = []
  page.on('dialog', dialog => {
    accidents.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('pageerror', error => accidents.push(error.message))
  try {
    await page.goto(running.urlOf('/'))
    for (const name of ['__proto__', '<img src=x onerror=alert(1)>', 'a%2Fb?c#d', '../../etc/passwd']) {
      const answer = await running.request(`/api/tools/${encodeURIComponent(`hostile-names/${name}`)}`)
      expect(answer.status, name).toBe(200)
      expect(((await answer.json()) as { name: string }).name).toBe(name)
      // Rows move as the search narrows them: the click waits until it has.
      const searched = page.waitForResponse(response => {
        const { pathname, searchParams } = new URL(response.url())
        return pathname === '/api/rows' && searchParams.get('q') === name
      })
      await page.getByTestId('catalog-search').fill(name)
      await searched
      const row = page.locator(
        `[data-testid="catalog-row"][data-tool=${JSON.stringify(`hostile-names/${name}`)}]`,
      )
      await row.click()
      await expect(page.getByTestId('tool-title')).toHaveText(name)
      await expect(page.getByTestId('tool-form')).toBeVisible()
    }
    await page.getByTestId('call-button').click()
    await expect(page.getByTestId('result-status')).toBeVisible()
    expect(accidents).toEqual([])
  } finally {
    await running.stop()
  }
})

test('call: ends as too large after 200 MB of output, and the server still answers', async () => {
  const running = await startToolscope([fixture('huge-output')])
  try {
    const [tool] = (await (await running.request('/api/tools')).json()).tools
    const answer = await running.request('/api/invocations', { ref: tool?.ref, input: {} })
    const lines = (await answer.text()).trim().split('\n')
    const last = JSON.parse(lines.at(-1) ?? '') as { type: string; reason: string; raw: string }
    expect(last).toMatchObject({ type: 'failure', reason: 'too-large' })
    expect(last.raw.length).toBe(16 * 1024 * 1024)
    expect((await fetch(`${running.origin}/api/health`)).status).toBe(200)
  } finally {
    await running.stop()
  }
})
