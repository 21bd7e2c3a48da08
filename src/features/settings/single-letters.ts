import { storage } from '../../ui/storage.ts'
import { createStore } from '../../ui/store.ts'

const key = 'toolscope:single-letters'

/** Whether bare letters are keys. On unless switched off (WCAG 2.1.4 asks for the switch). */
export const singleLetters = createStore(storage.get(key) !== 'off')

export function setSingleLetters(on: boolean): void {
  if (on) storage.remove(key)
  else storage.set(key, 'off')
  singleLetters.set(on)
}
