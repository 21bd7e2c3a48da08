/** The real InputEditor on a bare page, controlled by the checks from outside. */
import '../../../ui/tokens.css'
import '../../../ui/base.css'
import { sampleValue } from '../../../../core/form/sample.ts'
import { spoil } from '../../../../core/form/spoil.testkit.ts'
import { writeJson } from '../../../../core/json/json-text.ts'
import { callerSchema } from '../../../../core/schema/caller-schema.ts'
import type { ValidationIssue } from '../../../../core/tool/invocation.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { pseudoRandom } from '../../../../core/validation/random.ts'
import { createSchemaValidator } from '../../../../core/validation/schema-validator.ts'
import { checkTool, fillByKeyboard, firstRender } from './check-tool.ts'
import { type Mounted, mount, readJsonValue } from './mounted.tsx'
import { click, pause, type } from './page-events.ts'

interface KeystrokeTime {
  /** Milliseconds from the key to the changed and laid out page: the slowest key of the fastest of three rounds. */
  readonly worstMs: number
  /** The number of fields on the page. */
  readonly fields: number
  /** The number of fields whose DOM changed for one key. */
  readonly touched: number
}

/**
 * Types into the first text field of a form that shows all its fields. Uses three rounds, because other programs may
 * disturb one.
 */
async function keystrokeTime(schema: JsonSchema, text: string): Promise<KeystrokeTime | null> {
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
  // Finishes the layout of the unfolded fields before the measurement.
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

/* Inputs for one schema: some meant to be valid, some broken. The server's validator decides what they are. */

/** Returns JSON texts, without repeats. The same seed gives the same texts. */
function generateInputs(schema: JsonSchema, seed: number): { valid: string[]; spoilt: string[] } {
  const caller = callerSchema(schema)
  const valid = new Set<string>()
  for (const optional of ['all', 'none', 'some'] as const)
    valid.add(writeJson(sampleValue(caller, { optional }), 0))
  for (let index = 0; index < 6; index++) {
    const random = pseudoRandom(seed * 31 + index)
    valid.add(writeJson(sampleValue(caller, { optional: index % 2 ? 'some' : 'all', random }), 0))
  }
  const spoilt = new Set<string>()
  for (let index = 0; index < 10 && spoilt.size < 6; index++) {
    const random = pseudoRandom(seed * 57 + index)
    const base = sampleValue(caller, { optional: index % 2 ? 'all' : 'some', random })
    spoilt.add(writeJson(spoil(base, random), 0))
  }
  return { valid: [...valid], spoilt: [...spoilt] }
}

/** Returns the issues that the page would show at the fields. */
function issuesInBrowser(schema: JsonSchema, text: string): readonly ValidationIssue[] {
  return createSchemaValidator(callerSchema(schema))(readJsonValue(text) ?? {}).issues
}

/** Returns the page's verdict on each text. */
function verdictsInBrowser(schema: JsonSchema, texts: readonly string[]): string[] {
  const validate = createSchemaValidator(callerSchema(schema))
  return texts.map(text => validate(readJsonValue(text) ?? {}).verdict)
}

let current: Mounted | undefined

/** Shows one form with the issues of its input, in place of the last one. */
function show(schema: JsonSchema, text: string): void {
  current?.unmount()
  current = mount(schema, text, issuesInBrowser(schema, text))
}

const api = { show, checkTool, fillByKeyboard, firstRender, generateInputs, keystrokeTime, verdictsInBrowser }
export type BenchApi = typeof api

declare global {
  var bench: BenchApi
}
globalThis.bench = api
