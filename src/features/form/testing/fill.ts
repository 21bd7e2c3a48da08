/** Fills an empty form until it contains a wanted value, by events or by keys, using only what the page shows. */

import { toErrorMessage } from '../../../../core/errors.ts'
import { optionLabel } from '../../../../core/form/union-branches.ts'
import { jsonEquals } from '../../../../core/json/equality.ts'
import {
  isJsonNumber,
  isObject,
  type Json,
  type JsonObject,
  jsonType,
  numberText,
} from '../../../../core/json/json.ts'
import { writeJson } from '../../../../core/json/json-text.ts'
import { type Path, toPointer, valueAt } from '../../../../core/json/pointer.ts'
import chooserStyles from '../fields/chooser.module.css'
import styles from '../form.module.css'
import type { Mounted } from './mounted.tsx'
import { eventHands, type Hands, pause } from './page-events.ts'

/** Thrown with the location where filling got stuck. */
class Stuck extends Error {}

/** The actions in use: only one form is filled at a time. */
let hands: Hands = eventHands

export async function fill(form: Mounted, target: Json, using: Hands = eventHands): Promise<void> {
  hands = using
  const root = fieldAt(form, [])
  if (!root) throw new Stuck('the form is not drawn')
  await fillField(form, root, [], target)
}

function fieldAt(form: Mounted, path: Path): HTMLElement | null {
  return form.element.querySelector<HTMLElement>(`[data-path="${CSS.escape(toPointer(path))}"]`)
}

function has(form: Mounted, path: Path, target: Json): boolean {
  const value = form.value()
  return jsonEquals((path.length === 0 ? value : valueAt(value, path)) as Json | undefined, target)
}

async function fillField(form: Mounted, field: HTMLElement, path: Path, target: Json): Promise<void> {
  const kind = innerKind(field)
  const union = ownUnion(field)
  if (target === null && (await setNull(field))) return
  if (union) return fillUnion(form, path, target, 0)
  if (ownAny(field)) return fillAny(form, field, path, target)
  await fillKind(form, field, kind, path, target)
}

/** Fills the controls in `scope`; `owner` is the field around it. */
async function fillKind(
  form: Mounted,
  scope: HTMLElement,
  kind: string,
  path: Path,
  target: Json,
  owner = scope,
): Promise<void> {
  if (kind === 'object' && isObject(target)) return fillObject(form, path, target)
  if (kind === 'array' && Array.isArray(target)) return fillArray(form, owner, path, target)
  if (!(await fillScalar(scope, target, owner)))
    throw new Stuck(`no control takes ${short(target)} at ${toPointer(path)} (${kind})`)
  if (!has(form, path, target))
    throw new Stuck(`${short(target)} did not arrive at ${toPointer(path)} (${kind})`)
}

/** Returns the displayed kind: for a union, the kind of the chosen branch. */
function innerKind(field: HTMLElement): string {
  const branch = ownUnion(field)?.querySelector<HTMLElement>(':scope > [data-branch]')
  return branch?.dataset.node ?? field.dataset.node ?? ''
}

function ownUnion(field: HTMLElement): HTMLElement | null {
  return field.querySelector<HTMLElement>(`:scope > .${styles.union}`)
}

function ownAny(field: HTMLElement): HTMLElement | null {
  return field.querySelector<HTMLElement>(`:scope > .${styles.any}, :scope > [data-branch] > .${styles.any}`)
}

async function setNull(field: HTMLElement): Promise<boolean> {
  const button = field.querySelector<HTMLElement>(
    `:scope > .${styles.row} .${styles.actions} > [aria-pressed]`,
  )
  if (button) await hands.click(button)
  // A cell of a table has the switch in its menu.
  return button !== null || (field.matches('td *') && hands.pickFromMenu(field, 'Set null'))
}

/* Objects */

async function fillObject(form: Mounted, path: Path, target: JsonObject): Promise<void> {
  let holder = fieldAt(form, path)
  const add = holder?.querySelector<HTMLElement>(
    `:scope > [data-add=""], :scope > .${styles.union} > [data-branch] > [data-add=""]`,
  )
  if (add) await hands.click(add)
  for (const [key, item] of Object.entries<Json>(target)) {
    const location = [...path, key]
    if (has(form, location, item)) continue
    holder = fieldAt(form, path)
    if (!holder) throw new Stuck(`${toPointer(path)} is not drawn`)
    if (!fieldAt(form, location)) await openField(form, holder, path, key)
    const field = fieldAt(form, location)
    if (!field) throw new Stuck(`no way to ${toPointer(location)}`)
    await fillField(form, field, location, item)
  }
  if (!has(form, path, target) && Object.keys(target).length === 0) {
    const empty = [...(holder?.querySelectorAll<HTMLElement>(`.${styles.quiet}`) ?? [])].find(
      button => button.textContent === 'Set to {}',
    )
    if (empty) await hands.click(empty)
    else if (holder) await hands.pickFromMenu(holder, 'Set to {}')
  }
}

/** Shows a hidden field: unfolds, uses the list of optional fields or “more”, or adds a property of that key. */
async function openField(form: Mounted, holder: HTMLElement, path: Path, key: string): Promise<void> {
  const location = [...path, key]
  // A table has a column for each property; a card accepts other keys.
  const cards =
    holder.matches('tr') && holder.closest('[data-node=array]')?.querySelector<HTMLElement>('[data-switch]')
  if (cards) {
    await hands.click(cards)
    const card = fieldAt(form, path)
    return card ? openField(form, card, path, key) : undefined
  }
  await unfold(holder)
  const closed = ownPart(holder, '[data-more-fields] > [aria-expanded=false]')
  if (closed) await hands.click(closed)
  const search = ownPart(holder, '[data-more-fields] input')
  if (!fieldAt(form, location) && search instanceof HTMLInputElement)
    await hands.pickFromCombobox(search, key)
  for (let more = 0; more < 30 && !fieldAt(form, location); more++) {
    const next = ownPart(holder, '[data-more]')
    if (!next) break
    await hands.click(next)
  }
  if (fieldAt(form, location)) return
  const adder = ownPart(holder, '[data-add-entry]')
  if (!adder) return
  await hands.click(adder)
  const input = [...holder.querySelectorAll<HTMLInputElement>('[data-entry-key]')].find(
    candidate => candidate.value === '' && candidate.closest('[data-path]') === holder,
  )
  if (!input) return
  await hands.type(input, key)
  await hands.press(input, 'Enter')
  await hands.blur(input)
  await pause()
}

async function unfold(field: HTMLElement): Promise<void> {
  const fold = field.querySelector<HTMLElement>(
    `:scope > .${styles.row} [aria-expanded=false][aria-label^=Expand]`,
  )
  if (fold) await hands.click(fold)
}

/** Returns the first match that belongs to the holder itself, not to a field below it. */
function ownPart(holder: HTMLElement, selector: string): HTMLElement | undefined {
  return [...holder.querySelectorAll<HTMLElement>(selector)].find(
    candidate => candidate.closest('[data-path]') === holder,
  )
}

/* Lists */

async function fillArray(
  form: Mounted,
  field: HTMLElement,
  path: Path,
  target: readonly Json[],
): Promise<void> {
  const checks = field.querySelector<HTMLElement>(`.${styles.checklist}`)
  if (checks?.closest('[data-path]') === field) return fillChecks(form, field, checks, path, target)
  if (target.length === 0) {
    const empty = ownPart(field, '[data-empty]')
    if (empty) await hands.click(empty)
    else await hands.pickFromMenu(field, 'Set to []')
    return
  }
  for (const [index, item] of target.entries()) {
    const holder = fieldAt(form, path)
    const location = [...path, index]
    if (!fieldAt(form, location)) {
      const add = holder && ownPart(holder, '[data-add-item]')
      if (!add) throw new Stuck(`no way to add an item to ${toPointer(path)}`)
      await hands.click(add)
    }
    const child = fieldAt(form, location)
    if (!child) throw new Stuck(`item ${index} of ${toPointer(path)} is not drawn`)
    await unfold(child)
    await fillField(form, child, location, item)
  }
}

async function fillChecks(
  form: Mounted,
  field: HTMLElement,
  checks: HTMLElement,
  path: Path,
  target: readonly Json[],
): Promise<void> {
  if (target.length === 0) await hands.pickFromMenu(field, 'Set to []')
  for (const item of target) {
    const label = [...checks.querySelectorAll('label')].find(
      candidate => candidate.textContent === optionLabel(item),
    )
    if (!label) throw new Stuck(`no box for ${short(item)} at ${toPointer(path)}`)
    const box = label.querySelector('input')
    if (box && !box.checked) await hands.click(box)
  }
  if (!has(form, path, target)) throw new Stuck(`the ticks do not add up at ${toPointer(path)}`)
}

/* Choices */

/** Unions may be nested directly, at the same location; `level` counts them from the outside. */
async function fillUnion(form: Mounted, path: Path, target: Json, level: number): Promise<void> {
  const chooser = chooserAt(form, path, level)
  if (!(chooser instanceof HTMLElement)) throw new Stuck(`a union without a chooser at ${toPointer(path)}`)
  const labels = branchLabels(chooser)
  let reason: Stuck | undefined
  for (const index of rankBranches(labels, target).slice(0, 30)) {
    const choice = chooserAt(form, path, level)
    if (!(choice instanceof HTMLElement)) break
    await chooseBranch(choice, labels, index)
    await pause()
    try {
      await fillBranch(form, path, target, level)
      if (has(form, path, target)) return
    } catch (thrown) {
      // Collects the error of every attempt.
      reason = new Stuck(`${reason ? `${reason.message}; ` : ''}${labels[index]}: ${toErrorMessage(thrown)}`)
    }
  }
  throw reason ?? new Stuck(`no branch takes ${short(target)} at ${toPointer(path)}`)
}

function chooserAt(form: Mounted, path: Path, level: number): Element | null | undefined {
  return unionAt(form, path, level)?.querySelector(`:scope > .${chooserStyles.choice}`)?.firstElementChild
}

function unionAt(form: Mounted, path: Path, level: number): HTMLElement | null {
  let union = fieldAt(form, path)?.querySelector<HTMLElement>(`:scope > .${styles.union}`) ?? null
  for (let depth = 0; depth < level; depth++)
    union = union?.querySelector<HTMLElement>(`:scope > [data-branch] > .${styles.union}`) ?? null
  return union
}

async function fillBranch(form: Mounted, path: Path, target: Json, level: number): Promise<void> {
  const field = fieldAt(form, path)
  const inner = unionAt(form, path, level)?.querySelector<HTMLElement>(':scope > [data-branch]')
  if (!field || !inner) throw new Stuck(`the chosen branch is not drawn at ${toPointer(path)}`)
  if (inner.querySelector(`:scope > .${styles.union}`)) return fillUnion(form, path, target, level + 1)
  if (inner.querySelector(`:scope > .${styles.any}`)) return fillAny(form, inner, path, target)
  const kind = inner.dataset.node ?? ''
  const isScalar = !isObject(target) && !Array.isArray(target)
  if (!isScalar || !has(form, path, target)) await fillKind(form, inner, kind, path, target, field)
}

function branchLabels(chooser: HTMLElement): string[] {
  if (chooser instanceof HTMLSelectElement)
    return [...chooser.options].filter(option => option.value !== '-1').map(option => option.text)
  return [...chooser.querySelectorAll('label')].map(label => label.textContent ?? '')
}

async function chooseBranch(chooser: HTMLElement, labels: readonly string[], index: number): Promise<void> {
  if (chooser instanceof HTMLSelectElement) await hands.type(chooser, String(index))
  else if (chooser.classList.contains(styles.combo ?? '')) {
    const input = chooser.querySelector('input')
    if (input) await hands.pickFromCombobox(input, labels[index] ?? '')
  } else {
    const radio = chooser.querySelectorAll<HTMLInputElement>('input[type=radio]')[index]
    if (radio && !radio.checked) await hands.click(radio)
  }
}

/** Ranks branches that name a text of the value first, then those that name its kind. */
function rankBranches(labels: readonly string[], target: Json): number[] {
  const texts = new Set(
    isObject(target) ? Object.values<Json>(target).filter(item => typeof item === 'string') : [],
  )
  const words = {
    string: /text|string/i,
    number: /number|integer/i,
    boolean: /true/i,
    array: /list|array/i,
    object: /object|with/i,
    null: /null/i,
  }
  const kind = words[jsonType(target)]
  const rank = (label: string) => (texts.has(label) || label === target ? 0 : kind.test(label) ? 1 : 2)
  return labels
    .map((_, index) => index)
    .sort((left, right) => rank(labels[left] ?? '') - rank(labels[right] ?? ''))
}

/* Any JSON */

async function fillAny(form: Mounted, field: HTMLElement, path: Path, target: Json): Promise<void> {
  const any = field.matches('[data-branch]') ? field : (ownAny(field)?.parentElement ?? field)
  const kind = any.querySelector<HTMLSelectElement>(`.${styles.any} > .${styles.kind}`)
  if (!kind) throw new Stuck(`no choice of kind at ${toPointer(path)}`)
  const wanted = jsonType(target)
  if (kind.value !== wanted || target === null) await hands.type(kind, wanted)
  if (target === null) return
  const body = any.querySelector<HTMLElement>(`.${styles.any} > .${styles.anyValue}`)
  if (!body) throw new Stuck(`nothing to fill at ${toPointer(path)}`)
  await fillKind(form, body, wanted, path, target, fieldAt(form, path) ?? field)
}

/* Single values */

/** Uses the control in `scope`; the field around it has the menu. */
async function fillScalar(scope: HTMLElement, target: Json, field = scope): Promise<boolean> {
  const segments = scope.querySelector<HTMLElement>(`.${chooserStyles.segments}`)
  if (segments && ownedBy(segments, field)) {
    const label = [...segments.querySelectorAll('label')].find(
      candidate => candidate.textContent === optionLabel(target),
    )
    const radio = (
      label ?? segments.querySelector(`label:has([data-value="${CSS.escape(writeJson(target, 0))}"])`)
    )?.querySelector('input')
    if (radio) await hands.click(radio)
    return radio !== undefined && radio !== null
  }
  const select = scope.querySelector<HTMLSelectElement>(`select.${styles.input}:not(.${styles.kind})`)
  if (select && ownedBy(select, field)) {
    const option = [...select.options].find(candidate => candidate.text === optionLabel(target))
    if (option) await hands.type(select, option.value)
    return option !== undefined
  }
  const combo = scope.querySelector<HTMLInputElement>('input[role=combobox]')
  if (combo && ownedBy(combo, field)) return hands.pickFromCombobox(combo, optionLabel(target))
  const box = scope.querySelector<HTMLInputElement>(`.${styles.constant} input`)
  if (box && ownedBy(box, field)) {
    if (!box.checked) await hands.click(box)
    return true
  }
  return fillText(scope, field, target)
}

async function fillText(scope: HTMLElement, field: HTMLElement, target: Json): Promise<boolean> {
  const input = scope.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    `input.${styles.input}, textarea.${styles.input}`,
  )
  if (!input) return false
  if (typeof target === 'string') {
    if (target === '') return hands.pickFromMenu(field, 'Set to ""')
    if (input instanceof HTMLInputElement && /[\r\n]/.test(target)) {
      await hands.paste(input, target)
      return true
    }
    await hands.type(input, target)
  } else if (isJsonNumber(target)) await hands.type(input, numberText(target))
  else return false
  await hands.blur(input)
  return true
}

function ownedBy(control: Element, field: HTMLElement): boolean {
  const owner = control.closest('[data-path]')
  return owner === field || owner === field.closest('[data-path]')
}

function short(value: Json): string {
  return writeJson(value, 0).slice(0, 80)
}
