/** The same actions only by keyboard: Tab, arrows, Space, Enter and letters. They read the page and set nothing. */
import { type Hands, menuButton, pause } from './page-events.ts'

declare global {
  /** Presses a key as Playwright names it (`Tab`, `Shift+Tab`, `Control+A`). */
  var pressKey: (key: string) => Promise<void>
  var typeText: (text: string) => Promise<void>
}

/**
 * Waits until the page is painted, because a person reacts to what is visible. Choices without room become a list in
 * that frame, when the browser reports their size.
 */
export async function painted(): Promise<void> {
  await new Promise(requestAnimationFrame)
  await pause()
}

/** Maximum keys to reach a control, or a choice in a list. */
const maxKeys = 1_500
/** Changes of direction on the way: each is a control that was passed. */
const maxTurns = 2
const maxMenuTurns = 200

/** Moves the focus to the control by Tab. Throws if Tab skips it. */
async function reach(control: HTMLElement): Promise<void> {
  let direction: string | undefined
  let turns = 0
  for (let keys = 0; keys < maxKeys; keys++) {
    const active = document.activeElement
    if (active === control || (isRadio(active) && isRadio(control) && active.name === control.name)) return
    const isBefore =
      active !== null &&
      active !== document.body &&
      (active.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
    const next = isBefore ? 'Shift+Tab' : 'Tab'
    // After a lost focus, the browser continues from the old position, which may be behind the control.
    if (direction !== undefined && next !== direction && ++turns > maxTurns) break
    direction = next
    await pressKey(next)
  }
  const state = control.isConnected ? '' : ', which is gone'
  const active = document.activeElement as HTMLElement
  throw new Error(
    `Tab does not reach ${describeControl(control)}${state}; it is at ${describeControl(active)}`,
  )
}

const isRadio = (element: Element | null): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.type === 'radio'

/** Returns the current control with this id, because React can replace the element after a choice. */
const again = <Control extends HTMLElement>(control: Control): Control =>
  control.id === '' ? control : ((document.getElementById(control.id) as Control | null) ?? control)

async function chooseRadio(radio: HTMLInputElement): Promise<void> {
  await reach(radio)
  for (let keys = 0; keys < maxKeys && document.activeElement !== again(radio); keys++)
    await pressKey('ArrowRight')
  if (!again(radio).checked) await pressKey('Space')
}

async function chooseOption(select: HTMLSelectElement, value: string): Promise<void> {
  await reach(select)
  for (let keys = 0; keys < maxKeys && again(select).value !== value; keys++) {
    const now = again(select)
    if (document.activeElement !== now) await reach(now)
    const wanted = [...now.options].findIndex(option => option.value === value)
    if (wanted < 0) throw new Error(`${describeControl(select)} has no option ${value}`)
    await pressKey(wanted > now.selectedIndex ? 'ArrowDown' : 'ArrowUp')
    await painted()
  }
}

async function replaceText(field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  await reach(field)
  await pressKey('Control+A')
  if (text === '') await pressKey('Delete')
  else await typeText(text)
}

async function pickFromCombobox(input: HTMLInputElement, label: string): Promise<boolean> {
  if (input.value === label) return true
  await replaceText(input, label.slice(0, 200))
  await painted()
  for (let keys = 0; keys < maxKeys; keys++) {
    const active = document.getElementById(input.getAttribute('aria-activedescendant') ?? '')
    if ((active?.firstChild?.textContent ?? '') === label) {
      await pressKey('Enter')
      await painted()
      return true
    }
    await pressKey('ArrowDown')
  }
  return false
}

async function pickFromMenu(field: HTMLElement, start: string): Promise<boolean> {
  const button = menuButton(field)
  if (button === null) return false
  const control = field.querySelector<HTMLElement>('input, select, textarea')
  if (button.tabIndex < 0 && control) {
    await reach(control)
    await pressKey('Shift+F10')
  } else {
    await reach(button)
    await pressKey('Enter')
  }
  for (let turn = 0; turn < maxMenuTurns; turn++) {
    const active = document.activeElement
    if (active?.getAttribute('role') === 'menuitem' && active.textContent?.startsWith(start)) {
      await pressKey('Enter')
      await painted()
      return true
    }
    const isOpen = document.querySelector('[role=menuitem]') !== null
    if (isOpen && turn < maxMenuTurns / 2) await pressKey('ArrowDown')
    await painted()
  }
  await pressKey('Escape')
  return false
}

function describeControl(control: HTMLElement): string {
  const name = control.getAttribute('aria-label') || control.id || control.textContent
  return `${control.tagName.toLowerCase()} ${name?.slice(0, 80)}`
}

export const keyboardHands: Hands = {
  async type(field, text) {
    if (field instanceof HTMLSelectElement) await chooseOption(field, text)
    else await replaceText(field, text)
    await painted()
  },
  /** Fails: the clipboard is empty, so a field that only accepts pasted text cannot be filled by keyboard. */
  async paste(field) {
    throw new Error(`${describeControl(field)} takes this text only from the clipboard`)
  },
  async click(element) {
    if (isRadio(element)) await chooseRadio(element)
    else {
      await reach(element)
      await pressKey(element instanceof HTMLInputElement ? 'Space' : 'Enter')
    }
    await painted()
  },
  async press(element, key) {
    await reach(element)
    await pressKey(key)
    await painted()
  },
  async blur(element) {
    if (document.activeElement === element) await pressKey('Tab')
    await painted()
  },
  pickFromCombobox,
  pickFromMenu,
}
