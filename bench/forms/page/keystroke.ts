import type { JsonSchema } from '../../../core/tool/tool.ts'
import { click, pause, type } from './events.ts'
import { mount } from './mounted.tsx'

export interface KeystrokeTime {
  /** Milliseconds from the key to the changed and laid out page: the worst key of the quietest of three rounds. */
  readonly worstMs: number
  /** Fields on the page. */
  readonly fields: number
  /** Fields whose DOM changed for one key. */
  readonly touched: number
}

/** Types into the first text field of a form that shows all its fields. Other programs may disturb a round, hence three. */
export async function keystrokeTime(schema: JsonSchema, text: string): Promise<KeystrokeTime | null> {
  const rounds: KeystrokeTime[] = []
  for (let round = 0; round < 3; round++) {
    const measured = await typeOnce(schema, text)
    if (measured) rounds.push(measured)
  }
  return rounds.sort((left, right) => left.worstMs - right.worstMs)[0] ?? null
}

async function typeOnce(schema: JsonSchema, text: string): Promise<KeystrokeTime | null> {
  const form = mount(schema, text)
  for (let more = 0; more < 20; more++) {
    const button = form.element.querySelector<HTMLElement>('[data-more]')
    if (!button) break
    click(button)
  }
  const field = form.element.querySelector<HTMLInputElement>(
    'input[type=text]:not([role=combobox]):not([data-entry-key])',
  )
  const fields = form.element.querySelectorAll('[data-path]').length
  const touched = new Set<Element | null>()
  const observer = new MutationObserver(records => {
    for (const { target } of records)
      if (target instanceof Element) touched.add(target.closest('[data-path]'))
  })
  observer.observe(form.element, { subtree: true, childList: true, attributes: true, characterData: true })
  let worstMs = 0
  // The layout of what was just unfolded belongs to the unfolding.
  form.element.getBoundingClientRect()
  await pause()
  touched.clear()
  if (field)
    for (let key = 1; key <= 12; key++) {
      const started = performance.now()
      type(field, '1234567890123'.slice(0, key))
      form.element.getBoundingClientRect()
      worstMs = Math.max(worstMs, performance.now() - started)
      await pause()
    }
  observer.disconnect()
  form.unmount()
  return field ? { worstMs, fields, touched: touched.size } : null
}
