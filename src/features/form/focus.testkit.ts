/** Opens a filled form in a test, and tells what has the focus. */
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import type { UnknownObject } from '../../../core/json/json.ts'
import { openForm } from '../../testing/open-form.ts'

export const form = page.getByTestId('tool-form')

/** Opens the form of a tool with these properties, and fills it with `input`. */
export async function openFilledForm(
  { properties, ...rest }: { readonly properties: Readonly<Record<string, object>> } & UnknownObject,
  input: UnknownObject = {},
): Promise<void> {
  const entries = Object.entries(properties).map(([key, schema]): [string, object] => [
    key,
    key in input ? { ...schema, examples: [input[key]] } : schema,
  ])
  openForm({ type: 'object', properties: Object.fromEntries(entries), ...rest })
  await expect.element(form).toBeVisible()
  if (Object.keys(input).length === 0) return
  await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Fill all' }).click()
  await expect.element(page.getByTestId('brief')).toHaveTextContent('Filled with an example')
}

/** The place and the name of what has the focus, such as `/hosts/0 hosts 1`; where it is not in the form, what it is. */
export function focused(): string {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || element === document.body) return 'the body'
  if (!form.element().contains(element)) return `outside the form: ${element.outerHTML.slice(0, 80)}`
  if (!element.checkVisibility()) return `not visible: ${nameOf(element)}`
  return `${element.closest<HTMLElement>('[data-path]')?.dataset.path} ${nameOf(element)}`
}

export function nameOf(element: HTMLElement): string {
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
  const labelledBy = document.getElementById(element.getAttribute('aria-labelledby') ?? '')
  const name = element.getAttribute('aria-label') ?? labelledBy?.textContent ?? labels[0]?.textContent
  return (name ?? element.textContent ?? '').replace(/ \*$/, '').trim()
}
