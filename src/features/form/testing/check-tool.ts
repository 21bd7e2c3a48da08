/** All checks of one tool's form. */
import { toErrorMessage } from '../../../../core/errors.ts'
import { bestBranch } from '../../../../core/form/branch-match.ts'
import { fitsNode, getFormPlanner } from '../../../../core/form/form-schema.ts'
import { jsonEquals } from '../../../../core/json/equality.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import { writeJson } from '../../../../core/json/json-text.ts'
import { callerSchema } from '../../../../core/schema/caller-schema.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { pseudoRandom } from '../../../../core/validation/random.ts'
import chooserStyles from '../fields/chooser.module.css'
import styles from '../form.module.css'
import { fill } from './fill.ts'
import { keyboardHands, painted } from './keyboard.ts'
import { type Mounted, mount, readJsonValue, sameInput } from './mounted.tsx'
import { blur, click, pause, pickFromCombobox, pickFromMenu, type } from './page-events.ts'

export interface FormFailure {
  readonly kind: 'crash' | 'round trip' | 'edit and restore' | 'fill' | 'branch switch'
  readonly detail: string
}

export interface ToolReport {
  readonly nodes: number
  readonly jsonNodes: number
  readonly unsupported: number
  readonly instances: number
  readonly roundTripped: number
  readonly edits: number
  readonly filled: boolean
  readonly switches: number
  readonly failures: readonly FormFailure[]
}

/** How many controls of each instance are changed and changed back. */
const editsPerInstance = 4

/** @param instances JSON texts, valid ones first; @param target the value to reach from an empty form */
export async function checkTool(
  schema: JsonSchema,
  instances: readonly string[],
  target: string,
): Promise<ToolReport> {
  const failures: FormFailure[] = []
  const counts = { nodes: 0, jsonNodes: 0, unsupported: 0 }
  let roundTripped = 0
  let edits = 0
  let switches = 0
  for (const [index, text] of instances.entries()) {
    const before = failures.length
    const form = mount(schema, text)
    const wanted = readJsonValue(text)
    count(form.element, counts)
    if (!sameInput(form.value(), wanted))
      failures.push({ kind: 'round trip', detail: `changed by drawing: ${text.slice(0, 200)}` })
    edits += await editAndRestore(form, wanted, pseudoRandom(index + 1), failures)
    if (index < 3) switches += await switchBranches(form, schema, failures)
    form.unmount()
    if (failures.length === before) roundTripped++
  }
  let filled = true
  const form = mount(schema, '')
  try {
    await fill(form, readJsonValue(target) ?? {})
    if (!sameInput(form.value(), readJsonValue(target)))
      throw new Error(`ended with ${form.text().slice(0, 200)}`)
  } catch (thrown) {
    filled = false
    failures.push({
      kind: 'fill',
      detail: `${toErrorMessage(thrown)}; wanted ${target.slice(0, 200)}`,
    })
  }
  form.unmount()
  return { ...counts, instances: instances.length, roundTripped, edits, filled, switches, failures }
}

/** Fills the empty form by keyboard. Returns undefined if it then contains the target, else the reason why not. */
export async function fillByKeyboard(schema: JsonSchema, target: string): Promise<string | undefined> {
  const form = mount(schema, '')
  try {
    await painted()
    await fill(form, readJsonValue(target) ?? {}, keyboardHands)
    return sameInput(form.value(), readJsonValue(target))
      ? undefined
      : `ended with ${form.text().slice(0, 200)}`
  } catch (thrown) {
    return `${toErrorMessage(thrown)}; wanted ${target.slice(0, 200)}`
  } finally {
    form.unmount()
  }
}

/**
 * Returns the milliseconds to draw the empty form. A slow one is drawn three times, because other programs share the
 * machine.
 */
export function firstRender(schema: JsonSchema): number {
  const once = () => {
    const form = mount(schema, '')
    form.unmount()
    return form.ms
  }
  const first = once()
  if (first < 100) return first
  return [first, once(), once()].sort((left, right) => left - right)[1] ?? first
}

function count(
  element: HTMLElement,
  counts: { nodes: number; jsonNodes: number; unsupported: number },
): void {
  counts.nodes += element.querySelectorAll('[data-node]').length
  counts.jsonNodes += element.querySelectorAll(`.${styles.json}`).length
  counts.unsupported += element.querySelectorAll('[data-node=unsupported], .unsupported-field').length
}

async function editAndRestore(
  form: Mounted,
  wanted: Json | undefined,
  random: () => number,
  failures: FormFailure[],
): Promise<number> {
  let done = 0
  for (let attempt = 0; attempt < editsPerInstance; attempt++) {
    const controls = editable(form.element)
    const control = controls[Math.floor(random() * controls.length)]
    if (!control) break
    const location = control.closest<HTMLElement>('[data-path]')?.dataset.path ?? ''
    const restore = edit(control)
    if (!restore) continue
    await pause()
    const changed = form.text()
    await restore()
    await pause()
    done++
    if (sameInput(form.value(), wanted)) continue
    failures.push({
      kind: 'edit and restore',
      detail: `${control.tagName} ${control.className} at ${location}: wanted ${writeJson(wanted, 0).slice(0, 160)}, edited ${changed.replace(/\s+/g, ' ').slice(0, 120)}, got ${writeJson(form.value(), 0).slice(0, 160)}`,
    })
    form.load(writeJson(wanted))
    await pause()
  }
  return done
}

/**
 * Switches each shown union to every other branch and back: shared keys must survive, and the way back must restore
 * everything.
 */
async function switchBranches(form: Mounted, schema: JsonSchema, failures: FormFailure[]): Promise<number> {
  const caller = callerSchema(schema)
  const planner = getFormPlanner(caller)
  let done = 0
  const unions = [
    ...form.element.querySelectorAll<HTMLElement>(
      `.${styles.union} > .${chooserStyles.choice} > .${chooserStyles.segments}, .${styles.union} > .${chooserStyles.choice} > select`,
    ),
  ].slice(0, 6)
  for (const chooser of unions) {
    const id = chooser.id
    const choices =
      chooser instanceof HTMLSelectElement ? chooser.options.length : chooser.querySelectorAll('input').length
    const before = form.value()
    const start = findActiveIndex(id)
    if (start < 0) continue
    for (let index = 0; index < Math.min(choices, 6); index++) {
      if (index === start) continue
      choose(id, index)
      await pause()
      const between = form.value()
      const lost = sharedKeysLost(before, between)
      choose(id, start)
      await pause()
      done++
      const after = form.value()
      if (!sameInput(before, after))
        failures.push({
          kind: 'branch switch',
          detail: `branch ${start} → ${index} → ${start} of ${id}: ${writeJson(before, 0).slice(0, 140)} became ${writeJson(after, 0).slice(0, 140)}`,
        })
      else if (lost !== null && isShared(planner, caller, before, lost, start, index, id))
        failures.push({
          kind: 'branch switch',
          detail: `branch ${start} → ${index} of ${id} lost the shared key ${lost}`,
        })
      if (!sameInput(before, after)) form.load(writeJson(before))
    }
  }
  return done
}

function findActiveIndex(id: string): number {
  const chooser = document.getElementById(id)
  if (chooser instanceof HTMLSelectElement) return Number(chooser.value)
  return [...(chooser?.querySelectorAll<HTMLInputElement>('input') ?? [])].findIndex(input => input.checked)
}

function choose(id: string, index: number): void {
  const chooser = document.getElementById(id)
  if (chooser instanceof HTMLSelectElement) {
    chooser.value = String(index)
    chooser.dispatchEvent(new Event('change', { bubbles: true }))
    return
  }
  const radio = chooser?.querySelectorAll<HTMLInputElement>('input')[index]
  if (radio) click(radio)
}

/** Returns the first lost key at the top level. Deeper unions are checked by the way back. */
function sharedKeysLost(before: Json | undefined, after: Json | undefined): string | null {
  if (!isObject(before) || !isObject(after)) return null
  return Object.keys(before).find(key => !jsonEquals(before[key], after[key])) ?? null
}

/** Checks only the keys of a root union: both branches must know the key, and its value must fit both. */
function isShared(
  planner: ReturnType<typeof getFormPlanner>,
  schema: JsonSchema,
  before: Json | undefined,
  key: string,
  from: number,
  to: number,
  id: string,
): boolean {
  const node = planner.plan(schema)
  if (node.kind !== 'union' || !id.includes('-root-kind') || !isObject(before)) return false
  if (bestBranch(planner, node.branches, before) !== from) return false
  return [from, to].every(index => {
    const branch = planner.plan(node.branches[index]?.schema ?? true)
    const property = branch.kind === 'object' ? branch.properties.find(({ name }) => name === key) : undefined
    const value = before[key]
    if (!property || value === undefined) return false
    const inner = planner.plan(property.schema)
    if (inner.kind === 'const') return jsonEquals(inner.value, value)
    return inner.kind !== 'enum' && fitsNode(inner, value)
  })
}

/* Changes one control and changes it back, like a person who reconsiders. */

/** Returns the controls of the form that can be changed back in the same way. */
function editable(root: HTMLElement): HTMLElement[] {
  const controls = root.querySelectorAll<HTMLElement>(
    `input.${styles.input}, textarea.${styles.input}, select.${styles.input}:not(.${styles.kind}), .${chooserStyles.segments} input[type=radio], .${styles.checklist} input, .${styles.constant} input`,
  )
  return [...controls].filter(
    control =>
      !(control instanceof HTMLInputElement && control.type === 'radio' && control.checked) &&
      // A value that is missing in the list cannot be chosen again.
      !control.parentElement?.querySelector(`:scope > .${styles.error}`),
  )
}

type Restore = () => unknown

/** Edits a control, and returns a function that restores it (await it); `null` if there is nothing to change to. */
function edit(control: HTMLElement): Restore | null {
  if (control instanceof HTMLTextAreaElement) return editText(control)
  if (control instanceof HTMLSelectElement) return editSelect(control)
  if (!(control instanceof HTMLInputElement)) return null
  if (control.type === 'checkbox') {
    const { id } = control
    const parent = control.closest<HTMLElement>('[data-path]')
    const index = parent ? [...parent.querySelectorAll('input[type=checkbox]')].indexOf(control) : -1
    click(control)
    return () => {
      const again = id
        ? document.getElementById(id)
        : parent?.querySelectorAll<HTMLElement>('input[type=checkbox]')[index]
      if (again instanceof HTMLElement) click(again)
    }
  }
  if (control.type === 'radio') return editRadio(control)
  if (control.getAttribute('role') === 'combobox') return editCombobox(control)
  if (control.dataset.entryKey !== undefined) return editKey(control)
  return editText(control)
}

function editText(field: HTMLInputElement | HTMLTextAreaElement): () => void {
  const before = field.value
  const { id } = field
  type(field, before === '' ? '7' : `${before}7`)
  blur(field)
  return () => {
    const again = document.getElementById(id) ?? field
    type(again as HTMLInputElement, before)
    blur(again)
  }
}

/** Renames a key. Its row moves along, so it is found by its new name. */
function editKey(field: HTMLInputElement): (() => void) | null {
  const before = field.value
  const rename = (input: HTMLInputElement, name: string) => {
    type(input, name)
    blur(input)
  }
  rename(field, `${before}7`)
  return () => {
    const inputs = [...document.querySelectorAll<HTMLInputElement>('[data-entry-key]')]
    const again = inputs.find(input => input.value === `${before}7`)
    if (again) rename(again, before)
  }
}

function editSelect(select: HTMLSelectElement): (() => void) | null {
  const before = select.value
  const { id } = select
  const other = [...select.options].find(option => option.value !== before && option.value !== 'strange')
  if (!other || before === 'strange' || before === '-1') return null
  type(select, other.value)
  return () => {
    const again = document.getElementById(id)
    if (again instanceof HTMLSelectElement) type(again, before)
  }
}

/** Chooses another segment, then the original one; if none was chosen, the field is cleared. */
function editRadio(radio: HTMLInputElement): Restore | null {
  const { name } = radio
  const group = () => [...document.querySelectorAll<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`)]
  const before = group().findIndex(candidate => candidate.checked)
  const holder = radio.closest<HTMLElement>('[data-path]')?.dataset.path
  // An item of a list has a value before anything is chosen; it cannot be cleared, only removed.
  const row = `:scope > .${styles.row}`
  const present = radio.closest('[data-path]')?.querySelector(`${row} [title="Clear"], ${row} [data-remove]`)
  if (before < 0 && (holder === '' || present)) return null
  if (radio.closest(`.${chooserStyles.notListed}`) || group()[before]?.closest(`.${chooserStyles.notListed}`))
    return null
  click(radio)
  return () => {
    const chosen = group()[before]
    // If the choices have no room, a select with the same id replaces them.
    const select = document.getElementById(name)
    if (select instanceof HTMLSelectElement) type(select, String(before))
    else if (chosen) click(chosen)
    else {
      const field = document.querySelector(`[data-path="${CSS.escape(holder ?? '')}"]`)
      const clear = field?.querySelector<HTMLElement>(`:scope > .${styles.row} [title="Clear"]`)
      if (clear) click(clear)
      // A cell of a table is cleared in its menu.
      else if (field instanceof HTMLElement && field.closest('td')) return pickFromMenu(field, 'Clear')
    }
  }
}

function editCombobox(input: HTMLInputElement): (() => void) | null {
  const before = input.value
  const { id } = input
  if (before === '' || before.endsWith('(not in the list)') || input.closest('[data-more-fields]'))
    return null
  type(input, '')
  return () => {
    const again = document.getElementById(id)
    if (again instanceof HTMLInputElement) pickFromCombobox(again, before)
  }
}
