import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openForm } from '../../testing/open-form.ts'

const form = page.getByTestId('tool-form')

/** Opens the form of a tool with one field, which has this description. */
function openField(description: string) {
  openForm({ type: 'object', properties: { depth: { type: 'string', description } } })
  return form.getByRole('textbox', { name: 'depth' })
}

const markdown = `
    How deep to look, see [the manual](https://example.com/manual).

    | value | meaning |
    | ----- | ------- |
    | \`all\` | ~~some~~ everything |

    - [x] one
    - two

    [a trap](javascript:alert(1)) <b onclick="alert(1)">no tag</b>
`

test('field description: shows Markdown links, tables, code, lists and strikethrough, and runs nothing', async () => {
  const field = openField(markdown)
  await expect.element(form.getByRole('button', { name: 'Show all', exact: true })).toBeVisible()
  await form.getByRole('button', { name: 'Show all', exact: true }).click()
  await expect
    .element(form.getByRole('link', { name: 'the manual' }))
    .toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await expect.element(form.getByRole('cell', { name: 'all' })).toBeVisible()
  const text = document.getElementById(field.element().getAttribute('aria-describedby') ?? '')
  expect(text?.querySelector('td del')?.textContent).toBe('some')
  expect([...(text?.querySelectorAll('li') ?? [])].map(item => item.textContent?.trim())).toEqual([
    '☑ one',
    'two',
  ])
  expect(text?.querySelectorAll('pre, b, input, [id], a:not([href^="https:"])')).toHaveLength(0)
  expect(text).toHaveTextContent('a trap <b onclick="alert(1)">no tag</b>')
})

test('field description: shows three lines of a long text, “Show all” opens it and “Show less” closes it', async () => {
  const line = 'a line that is long enough to be looked at\n'
  const field = openField(`${line.repeat(9)}the end`)
  const text = () => document.getElementById(field.element().getAttribute('aria-describedby') ?? '')
  const more = form.getByRole('button', { name: 'Show all', exact: true })
  await expect.element(more).toHaveAttribute('aria-expanded', 'false')
  const closed = text()?.clientHeight ?? 0
  expect(closed).toBeLessThan(60)
  await more.click()
  expect(text()?.clientHeight).toBeGreaterThan(closed * 3)
  await form.getByRole('button', { name: 'Show less', exact: true }).click()
  await expect.element(more).toBeVisible()
})

test('field description: has no “Show all” when it fits, also when it is indented like code', async () => {
  openField('\n        A line.\n            Another `line`.\n    ')
  await expect.element(form.getByText('line', { exact: true })).toBeVisible()
  expect(document.querySelectorAll('form pre')).toHaveLength(0)
  expect(form.getByRole('button', { name: 'Show all', exact: true }).elements()).toEqual([])
})

test('field description: opens when a link in its hidden part gets the focus', async () => {
  openField(`${'some words and `code`\n\n'.repeat(8)}[the last](https://example.com/)`)
  await expect.element(form.getByRole('button', { name: 'Show all', exact: true })).toBeVisible()
  const link = form.getByRole('link', { name: 'the last' })
  await expect.element(link).toBeInTheDocument()
  link.element().focus()
  await expect.element(form.getByRole('button', { name: 'Show less', exact: true })).toBeVisible()
})

/** The description of the field, all of it. */
async function openDescription(description: string): Promise<Element> {
  const field = openField(description)
  await form.getByRole('button', { name: 'Show all' }).click()
  const text = document.getElementById(field.element().getAttribute('aria-describedby') ?? '')
  if (text === null) throw new Error('The field has no description.')
  return text
}

test('field description: joins lines that the author wrapped, and keeps the lines and indentation of parameters', async () => {
  const wrapped =
    'Search the index for documents that match the query, which is split\ninto words, and sort them.\n\n' +
    'Args:\n    query: What to look for\n    limit: How many'
  const text = await openDescription(wrapped)
  expect(text.textContent).toBe(wrapped.replace('split\n', 'split '))
  expect(getComputedStyle(text).whiteSpace).toBe('pre-wrap')
})

test('field description: breaks a text without spaces at the end of the column', async () => {
  const text = await openDescription('x'.repeat(600))
  expect(text.scrollWidth).toBeLessThanOrEqual(text.clientWidth)
  expect(text.scrollHeight).toBeLessThanOrEqual(text.clientHeight)
})
