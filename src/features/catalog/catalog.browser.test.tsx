import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const tools = ['greet', 'greet loudly', 'deploy']
const rows = () => document.querySelectorAll('[data-testid="catalog-row"][data-tool]')
const row = (ref: string) =>
  document.querySelector(`[data-testid="catalog-row"][data-tool="${CSS.escape(ref)}"]`)

test('catalog: says that no tool matches a search, and clears the search by a button', async () => {
  openPage(memoryBackend({ tools }), '/')
  await page.getByTestId('catalog-search').fill('nothing has this name')
  await expect.element(page.getByText('No tool matches')).toBeVisible()
  await page
    .getByRole('button', { name: /clear|reset|show all/i })
    .first()
    .click()
  await expect.element(page.getByTestId('catalog-count')).toHaveTextContent(/3 of 3/)
})

test('catalog: keeps the search in the address, and opens a tool with the arrow keys and Enter', async () => {
  const address = openPage(memoryBackend({ tools }), '/')
  await page.getByTestId('catalog-search').fill('greet')
  await expect.poll(() => rows().length).toBe(2)
  await expect.poll(address).toContain('q=greet')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.poll(address).toContain('tool=desk/greet')
  await expect.element(page.getByTestId('tool-title')).toHaveTextContent('greet')
})

test('catalog: draws only the visible rows of 50,000 tools, and the tool of the address is one of them', async () => {
  const many = Array.from({ length: 50_000 }, (_, at) => `tool_${String(at).padStart(5, '0')}`)
  openPage(memoryBackend({ tools: many }), '/?tool=desk/tool_49999')
  await expect.element(page.getByTestId('catalog-count')).toHaveTextContent('50,000')
  await expect.poll(() => row('desk/tool_49999')).not.toBeNull()
  expect(document.querySelectorAll('[data-testid="catalog-row"]').length).toBeLessThan(100)
})

test('catalog: opens the tool under the pointer by a click while the list still scrolls', async () => {
  const many = Array.from({ length: 500 }, (_, at) => `tool_${String(at).padStart(3, '0')}`)
  const address = openPage(memoryBackend({ tools: many }), '/')
  const tree = page.getByRole('tree')
  await expect.poll(() => row('desk/tool_003')).not.toBeNull()
  tree.element().scrollTop = 1_500
  await expect.poll(() => row('desk/tool_055')).not.toBeNull()
  // In the event itself: a moment later the list is at rest on a slow machine.
  const clicked = new Promise<Element | null>(resolve => {
    const click = () => {
      const { x, y } = row('desk/tool_055')?.getBoundingClientRect() ?? new DOMRect()
      const [clientX, clientY] = [x + 60, y + 10]
      const target = document.elementFromPoint(clientX, clientY)
      target?.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX, clientY }))
      resolve(target)
    }
    tree.element().addEventListener('scroll', click, { once: true })
  })
  tree.element().scrollTop += 10
  expect(await clicked).toBe(tree.element())
  await expect.poll(address).toContain('tool=desk/tool_055')
})

test('catalog: shows a line break in a name as an escape', async () => {
  openPage(
    memoryBackend({ tools: ['line\nbreak'] }),
    `/?${new URLSearchParams({ tool: 'desk/line\nbreak' })}`,
  )
  await expect.element(page.getByTestId('tool-title')).toHaveTextContent('line\\nbreak')
  expect(row('desk/line\nbreak')?.textContent).toContain('line\\nbreak')
})

test.each(['__proto__', '<img src=x onerror=alert(1)>', 'a%2Fb?c#d', '../../etc/passwd'])(
  'catalog: shows the hostile name %s as text',
  async name => {
    openPage(memoryBackend({ tools: [name] }), `/?${new URLSearchParams({ tool: `desk/${name}` })}`)
    await expect.element(page.getByTestId('tool-title')).toHaveTextContent(name)
    expect(row(`desk/${name}`)).not.toBeNull()
    expect(document.querySelector('img')).toBeNull()
  },
)

test('catalog: shows the best matches of a vague request, and lists a favorite until it is removed', async () => {
  openPage(
    memoryBackend({ tools: [...tools, { name: 'drop', annotations: { destructiveHint: true } }] }),
    '/',
  )
  await page.getByTestId('catalog-search').fill('please remove quarterly')
  await expect.element(page.getByText('No tool has all these words. Best matches:')).toBeVisible()
  await expect.poll(() => row('desk/drop')?.querySelector('[aria-label="destructive"]')).not.toBeNull()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByTestId('tool-title')).toHaveTextContent('drop')
  await page.getByRole('button', { name: 'Add to favorites' }).click()
  await page.getByTestId('catalog-search').fill('')
  const kept = page.getByRole('list', { name: 'Favorites and recent tools' })
  await expect.element(kept.getByRole('button', { name: /Favorite drop/ })).toBeVisible()
  await expect.element(kept.getByRole('button', { name: /Recent drop/ })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Remove from favorites' }).click()
  await expect.element(kept.getByRole('button', { name: /Favorite/ })).not.toBeInTheDocument()
})

test('catalog: does not move the list while tools are opened, and shows the recent tools afterwards', async () => {
  openPage(memoryBackend({ tools: ['first', 'second', 'third'] }), '/')
  await expect.poll(() => row('desk/third')).not.toBeNull()
  const top = () => row('desk/third')?.getBoundingClientRect().top
  const before = top()
  for (const name of ['first', 'second']) {
    await userEvent.click(row(`desk/${name}`) as Element)
    await expect.element(page.getByTestId('tool-title')).toHaveTextContent(name)
    expect(top()).toBe(before)
  }
  await page.getByTestId('catalog-search').fill('third')
  await expect.poll(() => rows().length).toBe(1)
  await page.getByTestId('catalog-search').fill('')
  const kept = page.getByRole('list', { name: 'Favorites and recent tools' })
  await expect.element(kept.getByRole('button', { name: /Recent second/ })).toBeVisible()
})

test('catalog: counts a tool’s portability warnings in its row, and a click on the number lists them', async () => {
  const inputSchema = { type: 'object' }
  const fine = { name: 'greet', description: 'Greets.', inputSchema }
  const address = openPage(memoryBackend({ tools: [{ ...fine }, { ...fine, name: 'say hello!' }] }), '/')
  const count = page.getByRole('tree').getByRole('img', { name: '1 portability warning' })
  await expect.element(count).toBeVisible()
  expect(row('desk/greet')?.querySelector('[data-warnings]')).toBeNull()
  await count.click()
  await expect.poll(address).toContain('tab=reference')
  await expect
    .element(page.getByRole('region', { name: 'Portability' }).getByRole('listitem'))
    .toHaveTextContent('"say hello!"')
  row('desk/greet')?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await expect.poll(address).toContain('tool=desk/greet')
  await expect.element(page.getByRole('region', { name: 'Usage' })).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Portability' })).not.toBeInTheDocument()
})
