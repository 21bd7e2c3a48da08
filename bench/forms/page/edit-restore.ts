/** Changes one control and changes it back, as a person would who thinks better of it. */

import styles from '../../../src/features/form/form.module.css'
import { blur, click, pickFromCombobox, pickFromMenu, type } from './events.ts'

/** The controls of a form that can be changed back by the same means. */
export function editable(root: HTMLElement): HTMLElement[] {
  const controls = root.querySelectorAll<HTMLElement>(
    `input.${styles.input}, textarea.${styles.input}, select.${styles.input}:not(.${styles.kind}), .${styles.segments} input[type=radio], .${styles.checklist} input, .${styles.constant} input`,
  )
  return [...controls].filter(
    control =>
      !(control instanceof HTMLInputElement && control.type === 'radio' && control.checked) &&
      // A value that the list does not have cannot be chosen again.
      !control.parentElement?.querySelector(`:scope > .${styles.error}`),
  )
}

type Restore = () => unknown

/** Edits, and gives back the way to restore, to be waited for; `null` where there is nothing to change to. */
export function edit(control: HTMLElement): Restore | null {
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

/** A renamed key takes its row along: the row is found again by its new name. */
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

/** Chooses another segment, then the one that was chosen; where none was, the field is left out again. */
function editRadio(radio: HTMLInputElement): Restore | null {
  const { name } = radio
  const group = () => [...document.querySelectorAll<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`)]
  const before = group().findIndex(candidate => candidate.checked)
  const holder = radio.closest<HTMLElement>('[data-path]')?.dataset.path
  // An item of a list has a value although nothing was chosen yet; it cannot be left out, only removed.
  const row = `:scope > .${styles.row}`
  const present = radio.closest('[data-path]')?.querySelector(`${row} [title="Clear"], ${row} [data-remove]`)
  if (before < 0 && (holder === '' || present)) return null
  if (radio.closest(`.${styles.notListed}`) || group()[before]?.closest(`.${styles.notListed}`)) return null
  click(radio)
  return () => {
    const chosen = group()[before]
    // Where the choices have no room, a select with the same id is in their place.
    const select = document.getElementById(name)
    if (select instanceof HTMLSelectElement) type(select, String(before))
    else if (chosen) click(chosen)
    else {
      const field = document.querySelector(`[data-path="${CSS.escape(holder ?? '')}"]`)
      const clear = field?.querySelector<HTMLElement>(`:scope > .${styles.row} [title="Clear"]`)
      if (clear) click(clear)
      // A cell of a table is left out by its menu.
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
