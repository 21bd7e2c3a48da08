/** Everything that is asked of one tool's form. */
import { messageOf } from '../../../core/errors.ts'
import { bestBranch } from '../../../core/form/branch-match.ts'
import { createFormPlanner, fitsNode } from '../../../core/form/form-schema.ts'
import { jsonEquals } from '../../../core/json/equality.ts'
import { isObject, type Json } from '../../../core/json/json.ts'
import { writeJson } from '../../../core/json/json-text.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { pseudoRandom } from '../../../core/validation/random.ts'
import styles from '../../../src/features/form/form.module.css'
import { edit, editable } from './edit-restore.ts'
import { click, pause } from './events.ts'
import { fill } from './fill.ts'
import { keyboardHands, painted } from './keyboard.ts'
import { jsonOf, type Mounted, mount, sameInput } from './mounted.tsx'

export interface Failure {
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
  readonly failures: readonly Failure[]
}

/** How many controls of each instance are changed and changed back. */
const editsPerInstance = 4

/** @param instances JSON texts, valid ones first; @param target the one to reach from an empty form */
export async function checkTool(
  schema: JsonSchema,
  instances: readonly string[],
  target: string,
): Promise<ToolReport> {
  const failures: Failure[] = []
  const counts = { nodes: 0, jsonNodes: 0, unsupported: 0 }
  let roundTripped = 0
  let edits = 0
  let switches = 0
  for (const [index, text] of instances.entries()) {
    const before = failures.length
    const form = mount(schema, text)
    const wanted = jsonOf(text)
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
    await fill(form, jsonOf(target) ?? {})
    if (!sameInput(form.value(), jsonOf(target))) throw new Error(`ended with ${form.text().slice(0, 200)}`)
  } catch (thrown) {
    filled = false
    failures.push({
      kind: 'fill',
      detail: `${messageOf(thrown)}; wanted ${target.slice(0, 200)}`,
    })
  }
  form.unmount()
  return { ...counts, instances: instances.length, roundTripped, edits, filled, switches, failures }
}

/** Fills the empty form by keyboard. Undefined where it holds the target then, else why it does not. */
export async function fillByKeyboard(schema: JsonSchema, target: string): Promise<string | undefined> {
  const form = mount(schema, '')
  try {
    await painted()
    await fill(form, jsonOf(target) ?? {}, keyboardHands)
    return sameInput(form.value(), jsonOf(target)) ? undefined : `ended with ${form.text().slice(0, 200)}`
  } catch (thrown) {
    return `${messageOf(thrown)}; wanted ${target.slice(0, 200)}`
  } finally {
    form.unmount()
  }
}

/** Milliseconds to draw the empty form. One that seems slow is drawn thrice: other programs share the machine. */
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
  failures: Failure[],
): Promise<number> {
  let done = 0
  for (let attempt = 0; attempt < editsPerInstance; attempt++) {
    const controls = editable(form.element)
    const control = controls[Math.floor(random() * controls.length)]
    if (!control) break
    const place = control.closest<HTMLElement>('[data-path]')?.dataset.path ?? ''
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
      detail: `${control.tagName} ${control.className} at ${place}: wanted ${writeJson(wanted, 0).slice(0, 160)}, edited ${changed.replace(/\s+/g, ' ').slice(0, 120)}, got ${writeJson(form.value(), 0).slice(0, 160)}`,
    })
    form.load(writeJson(wanted))
    await pause()
  }
  return done
}

/** Each shown union goes to every other branch and back: shared keys survive, and the way back restores all. */
async function switchBranches(form: Mounted, schema: JsonSchema, failures: Failure[]): Promise<number> {
  const caller = callerSchema(schema)
  const planner = createFormPlanner(caller)
  let done = 0
  const unions = [
    ...form.element.querySelectorAll<HTMLElement>(
      `.${styles.union} > .${styles.segments}, .${styles.union} > select`,
    ),
  ].slice(0, 6)
  for (const chooser of unions) {
    const id = chooser.id
    const choices =
      chooser instanceof HTMLSelectElement ? chooser.options.length : chooser.querySelectorAll('input').length
    const before = form.value()
    const start = activeOf(id)
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

function activeOf(id: string): number {
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

/** The first key, anywhere at the top level, that is gone. Deeper unions are judged by the way back. */
function sharedKeysLost(before: Json | undefined, after: Json | undefined): string | null {
  if (!isObject(before) || !isObject(after)) return null
  return Object.keys(before).find(key => !jsonEquals(before[key], after[key])) ?? null
}

/** Only a root union's keys are judged here: both branches know the key, and its value fits both. */
function isShared(
  planner: ReturnType<typeof createFormPlanner>,
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
