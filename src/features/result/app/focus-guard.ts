/**
 * Keeps the focus from the frame of an app that the user did not press: an app that takes the focus while the user types
 * would read what is typed. The guard gives the focus back, and reports it. While a modal window is open, the frame is
 * inert.
 */

/** Milliseconds after a key in the page in which a press in the frame is improbable. */
const typingMs = 1_000
/** Milliseconds between Tab and the focus that it moves. */
const tabMs = 500
/** Milliseconds in which the frame answers. An app that keeps the frame busy gets no focus either. */
const answerMs = 300
/** Milliseconds between two looks at the focus. */
const checkMs = 250

export interface FocusGuardParts {
  readonly frame: HTMLIFrameElement
  /** Asks the frame of the app; resolves to whether the user pressed something in it. */
  readonly isPressed: () => Promise<boolean>
  /** Called each time that the app took the focus. */
  readonly onTaken: () => void
  /** Aborts when the app ends. */
  readonly signal: AbortSignal
}

/** Starts to guard a frame until `signal` aborts. */
export function guardFocus({ frame, isPressed, onTaken, signal }: FocusGuardParts): void {
  let focused: HTMLElement | undefined
  let typedAt = Number.NEGATIVE_INFINITY
  let tabbedAt = Number.NEGATIVE_INFINITY
  let isChecking = false
  /** Whether the focus in the frame is allowed, until the page has it again. */
  let isAllowed = false
  const isInFrame = () => document.activeElement === frame
  const giveBack = () => {
    if (!isInFrame()) return
    frame.blur()
    window.focus()
    focused?.focus({ preventScroll: true })
  }
  const decide = async () => {
    // The browser loses a change of the focus that is made while it reports one.
    await new Promise(resolve => setTimeout(resolve))
    const now = performance.now()
    if (now - tabbedAt < tabMs) return true
    // A key that reached the app by now counts as one of the user's, so the frame's answer is worth nothing.
    if (now - typedAt < typingMs) return false
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<boolean>(resolve => {
      timer = setTimeout(resolve, answerMs, false)
    })
    const answer = await Promise.race([isPressed(), late])
    clearTimeout(timer)
    return answer
  }
  const check = async () => {
    if (!isInFrame() || isAllowed || isChecking) return
    isChecking = true
    isAllowed = await decide()
    isChecking = false
    if (isAllowed || signal.aborted) return
    giveBack()
    onTaken()
  }
  // The page itself moves the focus, for example when a dialog closes.
  const focus = frame.focus.bind(frame)
  frame.focus = options => {
    isAllowed = true
    focus(options)
  }
  window.addEventListener('blur', () => void check(), { signal })
  // A window that is not in front gets no event.
  const timer = setInterval(() => void check(), checkMs)
  const options = { capture: true, signal }
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (target === frame || !(target instanceof HTMLElement)) return
      focused = target
      isAllowed = false
    },
    options,
  )
  document.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Tab') tabbedAt = performance.now()
      else typedAt = performance.now()
    },
    options,
  )
  if (document.activeElement instanceof HTMLElement && !isInFrame()) focused = document.activeElement
  const updateInert = () => {
    frame.inert = document.querySelector('[role=dialog], [role=alertdialog]') !== null
  }
  const dialogs = new MutationObserver(updateInert)
  // Dialogs are children of the body.
  dialogs.observe(document.body, { childList: true })
  signal.addEventListener('abort', () => {
    dialogs.disconnect()
    clearInterval(timer)
  })
  updateInert()
}
