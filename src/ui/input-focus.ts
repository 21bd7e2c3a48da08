import { useEffect, useEffectEvent } from 'react'
import { createStore, useStore } from './value-store.ts'

/** Ref of the tool whose input receives the focus as soon as it is drawn. */
const requested = createStore<string | undefined>(undefined)
let listening: AbortController | undefined

function endRequest(): void {
  listening?.abort()
  listening = undefined
  requested.set(undefined)
}

/**
 * Requests the focus for a tool's input, once the key that opened the tool is released: a held key repeats and would
 * press a focused button. The next key, pointer press or focus change of the user cancels the request.
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

/** Returns whether a tool's input is about to receive the focus: a window that closes must not move it. */
export const isInputFocusRequested = () => listening !== undefined

/** Calls `focus` when the focus is requested for this tool's input, even if that was before the input was drawn. */
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
