import { Tooltip as Radix } from 'radix-ui'
import { cloneElement, type ReactElement, useEffect, useState } from 'react'
import styles from './floating.module.css'

/** Delay before a tooltip opens under a resting pointer. */
const openMs = 400
/** Delay before it closes, so that the pointer can reach the tooltip and copy its text. */
const closeMs = 120

interface TooltipProps {
  /** The accessible name of the control, so that screen readers read it only once. */
  readonly text: string
  readonly children: ReactElement<{ 'data-tooltip'?: string }>
}

/** Shows the name of a control on hover and on keyboard focus. `TooltipHost` draws it for all controls. */
export function Tooltip({ text, children }: TooltipProps) {
  return cloneElement(children, { 'data-tooltip': text })
}

/** Draws the tooltip of the hovered or focused control. There is one for the whole page. */
export function TooltipHost() {
  const [control, setControl] = useState<HTMLElement>()
  useEffect(() => followControl(setControl), [])
  if (control === undefined) return null
  const { left, top, width, height } = control.getBoundingClientRect()
  return (
    <Radix.Provider disableHoverableContent>
      <Radix.Root key={control.dataset.tooltip} open onOpenChange={open => open || setControl(undefined)}>
        <Radix.Trigger asChild>
          <span aria-hidden style={{ position: 'fixed', left, top, width, height, pointerEvents: 'none' }} />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className={styles.tooltip} sideOffset={6} collisionPadding={8}>
            {control.dataset.tooltip}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}

/** Calls `show` with the control whose tooltip is shown, or with undefined. Returns the function that stops it. */
function followControl(show: (control: HTMLElement | undefined) => void): () => void {
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: HTMLElement | undefined
  let wanted: HTMLElement | undefined
  const want = (control: HTMLElement | undefined, afterMs: number) => {
    if (control === wanted) return
    wanted = control
    clearTimeout(timer)
    timer = setTimeout(() => {
      current = control?.isConnected ? control : undefined
      show(current)
    }, afterMs)
  }
  const hide = () => want(undefined, 0)
  const on = <Name extends keyof DocumentEventMap>(
    names: readonly Name[],
    run: (event: DocumentEventMap[Name]) => void,
  ) => {
    for (const name of names)
      document.addEventListener(name, run, { capture: true, passive: true, signal: listening.signal })
  }
  on(['pointerover'], ({ target, relatedTarget, pointerType }) => {
    if (pointerType === 'touch') return
    if (isInTooltip(target)) want(current, 0)
    else {
      const control = findTooltipControl(target)
      // A press may have replaced the icon under the pointer inside the same control.
      if (control && control === findTooltipControl(relatedTarget)) return
      want(control, control && current ? 0 : control ? openMs : closeMs)
    }
  })
  on(['focusin'], ({ target }) => {
    if (target instanceof Element && target.matches(':focus-visible')) want(findTooltipControl(target), 0)
  })
  on(['pointerdown', 'keydown', 'focusout', 'scroll'], hide)
  return () => {
    clearTimeout(timer)
    listening.abort()
  }
}

/** Returns undefined for a button whose menu is open: the tooltip would cover the menu. */
function findTooltipControl(target: EventTarget | null): HTMLElement | undefined {
  const control = target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null
  return control?.matches('[aria-haspopup][aria-expanded=true]') ? undefined : (control ?? undefined)
}

function isInTooltip(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`.${styles.tooltip}`) !== null
}
