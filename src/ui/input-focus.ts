import { useEffect, useEffectEvent } from 'react'
import { createStore, useStore } from './store.ts'

/** Ref of the tool whose input is to get the focus, as soon as it is drawn. */
const requested = createStore<string | undefined>(undefined)
let listening: AbortController | undefined

function endRequest(): void {
  listening?.abort()
  listening = undefined
  requested.set(undefined)
}

/**
 * Asks for the focus in the input of a tool, once the key that opened the tool is up: held, it repeats, and would press a
 * button that it moves to. The next key, a press of the pointer or a move of the focus ends the request: the user has
 * moved on.
 */
export function requestInputFocus(ref: string | Promise<string | undefined>): void {
  endRequest()
  listening = new AbortController()
  const { signal } = listening
  const options = { capture: true, signal }
  const keyUp = new Promise<void>(resolve => {
    document.addEventListener('keyup', ({ key }) => /^(Enter| )$/.test(key) && resolve(), options)
  })
  void Promise.all([ref, keyUp]).then(([opened]) => signal.aborted || requested.set(opened))
  document.addEventListener('keydown', ({ repeat }) => repeat || endRequest(), options)
  document.addEventListener('pointerdown', endRequest, options)
  document.addEventListener('focusin', endRequest, options)
}

/** Whether the input of a tool is about to get the focus: a window that closes then leaves it alone. */
export const isInputFocusRequested = () => listening !== undefined

/** Calls `focus` when the focus was asked for in this tool's input; also where that was before the input was drawn. */
export function useInputFocus(ref: string, focus: () => void): void {
  const isRequested = useStore(requested) === ref
  const onRequest = useEffectEvent(() => {
    endRequest()
    focus()
  })
  useEffect(() => {
    if (isRequested) onRequest()
  }, [isRequested])
}
