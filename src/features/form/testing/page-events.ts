/** The actions of a person on a control, as events like those of the browser. */
import { flushSync } from 'react-dom'
import styles from '../form.module.css'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The actions that fill a form. */
export interface Hands {
  type(field: Field, text: string): void | Promise<void>
  paste(field: HTMLInputElement, text: string): Promise<void>
  click(element: HTMLElement): void | Promise<void>
  press(element: HTMLElement, key: string): void | Promise<void>
  blur(element: HTMLElement): void | Promise<void>
  pickFromCombobox(input: HTMLInputElement, label: string): boolean | Promise<boolean>
  pickFromMenu(field: HTMLElement, start: string): Promise<boolean>
}

/** Types a whole text: sets the value through the DOM's own setter, then sends `input` to the page. */
export function type(field: Field, text: string): void {
  const prototype = Object.getPrototypeOf(field)
  const setter = Object.getOwnPropertyDescriptor(prototype, 'value')?.set
  flushSync(() => {
    setter?.call(field, text)
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  })
}

export function click(element: HTMLElement): void {
  flushSync(() => element.click())
}

function press(element: HTMLElement, key: string): void {
  flushSync(() =>
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })),
  )
}

/** Leaves a field: React listens for `focusout`. */
export function blur(element: HTMLElement): void {
  flushSync(() => element.dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
}

/** Chooses from a combobox: types the label and takes the option with exactly that label. */
export function pickFromCombobox(input: HTMLInputElement, label: string): boolean {
  if (input.value === label) return true
  type(input, label.slice(0, 200))
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  const options = [...(list?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
  const option = options.find(candidate => (candidate.firstChild?.textContent ?? '') === label)
  if (option) click(option)
  return option !== undefined
}

/** Returns the button of a field's own menu. */
export function menuButton(field: HTMLElement): HTMLElement | null {
  return field.querySelector<HTMLElement>(`:scope > .${styles.row} .${styles.actions} [aria-haspopup=menu]`)
}

/** Opens a field's menu and takes an entry; the menu is rendered in a portal. */
export async function pickFromMenu(field: HTMLElement, start: string): Promise<boolean> {
  const button = menuButton(field)
  if (!button) return false
  // After its first use, the menu library controls the button, which then listens for the pointer.
  if (button.hasAttribute('data-state'))
    flushSync(() =>
      button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0, ctrlKey: false })),
    )
  else click(button)
  for (let waited = 0; waited < 20; waited++) {
    const items = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const item = items.find(candidate => candidate.textContent?.startsWith(start))
    if (item) {
      click(item)
      await pause()
      return true
    }
    await pause()
  }
  return false
}

/** Lets React finish its deferred work: two turns of the event loop, without a timer. */
export async function pause(): Promise<void> {
  for (let turn = 0; turn < 2; turn++)
    await new Promise<void>(resolve => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => resolve()
      channel.port2.postMessage(null)
    })
}

async function paste(field: HTMLInputElement, text: string): Promise<void> {
  const data = new DataTransfer()
  data.setData('text', text)
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  await pause()
}

/** The actions of a script: events without a keyboard, and without the focus. */
export const eventHands: Hands = { type, paste, click, press, blur, pickFromCombobox, pickFromMenu }
