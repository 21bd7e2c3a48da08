/** Moves the focus after an action in a form: to a new control, or near a removed one, but never to the body. */
import styles from './form.module.css'

const tabStops = 'input, select, textarea, button, summary, a[href]'
const field = '[data-path]'
const row = `.${styles.row}`
/** Elements around a control that are not controls themselves. */
const aside = `${row}, .${styles.description}, .${styles.error}, summary`
/** Choices that can add controls, as buttons can. Any other choice keeps the focus, even if controls appear. */
const shapeChoices = `.${styles.union} > :first-child, .${styles.kind}, [data-more-fields]`

/** The focused or pressed control and its surroundings, which may be removed before the focus moves. */
interface Action {
  readonly origin: HTMLElement
  /** The fields around `origin`, the innermost first. */
  readonly fields: readonly Element[]
  /** The siblings of the innermost field, the nearest first: those below it, then those above it. */
  readonly neighbours: readonly Element[]
  /** All fields and tab stops before the action; undefined if the action cannot add any. */
  readonly known: ReadonlySet<Element> | undefined
  readonly inRow: boolean
  readonly parent: Element | null
}

/**
 * Follows the focus in the fields of a form. After each action it moves the focus to the first new control, or to a
 * neighbour of a removed one. Fields need no code for this.
 */
export class FormFocus {
  private host: HTMLElement | undefined
  private action: Action | undefined
  /** The key that is held down. */
  private held: string | undefined
  private isPressed = false
  /** One element has lost the focus and the next one does not have it yet. */
  private isMoving = false
  /** Callbacks that run when the pointer is up again. */
  private later: (() => void)[] = []

  /** Starts to follow the focus in `host`. Returns the function that stops it. */
  follow(host: HTMLElement): () => void {
    this.host = host
    const listening = new AbortController()
    const listen = <Type extends keyof DocumentEventMap>(
      type: Type,
      listener: (event: DocumentEventMap[Type]) => void,
    ) => document.addEventListener(type, listener, { capture: true, signal: listening.signal })
    listen('pointerdown', ({ target }) => {
      this.held = undefined
      this.isPressed = true
      // A press outside all controls must not move the focus.
      if (!isInMenu(target)) this.action = undefined
    })
    listen('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof HTMLElement) || isInMenu(relatedTarget)) return
      this.action = host.contains(relatedTarget) ? this.noted(relatedTarget) : undefined
      // Leaving a field may render it again, which can remove the element that is about to receive the focus.
      this.isMoving = true
      setTimeout(() => this.arrive())
    })
    listen('focusin', ({ target }) => {
      this.isMoving = false
      if (isInMenu(target) || target === this.action?.origin) return
      this.action = target instanceof HTMLElement && host.contains(target) ? this.noted(target) : undefined
    })
    listen('keydown', ({ key, target, shiftKey }) => {
      if (!(target instanceof Element && host.contains(target))) return
      this.held = key
      if (['Enter', ' ', 'ArrowDown'].includes(key)) this.begin(target, shiftKey)
      else this.forget(this.action)
    })
    listen('keyup', () => {
      this.held = undefined
    })
    // The click event follows pointerup in the same task.
    for (const type of ['pointerup', 'pointercancel'] as const)
      listen(type, () => setTimeout(() => this.release()))
    listen('click', ({ target, shiftKey }) => {
      this.release()
      this.begin(target, shiftKey)
    })
    listen('change', ({ target }) => this.begin(target))
    const observer = new MutationObserver(() => this.settle())
    const attributeFilter = ['disabled', 'hidden']
    observer.observe(host, { childList: true, subtree: true, attributes: true, attributeFilter })
    return () => {
      listening.abort()
      observer.disconnect()
      this.host = undefined
      this.action = undefined
    }
  }

  /**
   * Runs what may move the fields, for example to show a message. Between the press and the click of a button it waits,
   * because the click would miss a button that has moved.
   */
  afterPress(run: () => void): void {
    if (this.isPressed) this.later.push(run)
    else run()
  }

  private arrive(): void {
    this.isMoving = false
    this.settle()
  }

  private release(): void {
    this.isPressed = false
    for (const run of this.later.splice(0)) run()
  }

  /** Moves the focus after a field's menu has closed: to a control that its entry added, or back to its button. */
  afterMenu(): void {
    this.settle()
    this.forget(this.action)
  }

  private settle(): void {
    const { host, action } = this
    if (!host || !action || this.isMoving) return
    const active = document.activeElement
    const isLost = active === null || active === document.body || active.matches(':disabled')
    if (!isLost && active !== action.origin) return
    const target = this.brought(action) ?? (isLost ? (this.findNearest(action) ?? host) : undefined)
    if (target === undefined || target === active) return
    this.action = undefined
    // The form has no control.
    if (target === host) host.tabIndex = -1
    target.focus()
  }

  /** Ignores controls that appear later: the action did not add them. */
  private forget(action: Action | undefined): void {
    if (action?.known && action === this.action) this.action = { ...action, known: undefined }
  }

  /** @param stays keeps the focus where it is, even if controls appear */
  private begin(target: EventTarget | null, stays = false): void {
    const { host } = this
    if (!host) return
    const pressed =
      target instanceof Element && host.contains(target) ? target.closest<HTMLElement>(tabStops) : null
    const origin = pressed ?? document.activeElement
    if (!(origin instanceof HTMLElement && host.contains(origin)) || isInMenu(target)) return
    const known =
      !stays && this.brings(origin) ? new Set(host.querySelectorAll(`${field}, ${tabStops}`)) : undefined
    const action = { ...this.noted(origin), known }
    this.action = action
    if (!origin.matches('[aria-haspopup=menu]')) setTimeout(() => this.forget(action))
  }

  private brings(origin: HTMLElement): boolean {
    if (origin.matches('button')) return !origin.matches(`${row} [aria-expanded]:not([aria-haspopup])`)
    const isTyped = this.held !== undefined && !['Enter', ' '].includes(this.held)
    return origin.closest(shapeChoices) !== null && !isTyped
  }

  private noted(origin: HTMLElement): Action {
    const fields: Element[] = []
    for (let at = origin.closest(field); at; at = findParentField(at)) fields.push(at)
    const [own, holder] = fields
    const siblings = holder
      ? [...holder.querySelectorAll(field)].filter(each => findParentField(each) === holder)
      : []
    const index = own ? siblings.indexOf(own) : -1
    return {
      origin,
      fields,
      neighbours: [...siblings.slice(index + 1), ...siblings.slice(0, Math.max(0, index)).reverse()],
      known: undefined,
      inRow: origin.closest(row) !== null,
      parent: origin.parentElement,
    }
  }

  /** Returns the first control that the action added. */
  private brought({ fields: [own], known, inRow }: Action): HTMLElement | undefined {
    if (!known || !own?.isConnected) return undefined
    const fresh = [...(this.host?.querySelectorAll<HTMLElement>(`${field}, ${tabStops}`) ?? [])].filter(
      each => !known.has(each),
    )
    const control = fresh.find(each => !each.matches(field) && isControl(each))
    if (control === undefined) return undefined
    // If no field was added, the control that a row's button adds replaces the row's own control.
    return inRow && !fresh.some(each => each.matches(field)) ? firstControl(own) : control
  }

  /** Returns the control nearest to one that was removed or disabled. */
  private findNearest({ origin, fields, neighbours, parent }: Action): HTMLElement | undefined {
    const [own, ...holders] = fields
    if (isUsable(origin)) return origin
    if (own?.isConnected)
      return (
        findReplacement(origin, own) ??
        (parent?.contains(origin) ? nearestButton(origin, parent) : undefined) ??
        findControl(own)
      )
    return findFirstAnswer(
      [...neighbours, ...holders].filter(each => each.isConnected),
      findControl,
    )
  }
}

/** Returns the first control of a field, or its first button. */
export function findControl(part: Element): HTMLElement | undefined {
  return firstControl(part) ?? firstTabStop(part)
}

function firstControl(part: Element): HTMLElement | undefined {
  return [...part.querySelectorAll<HTMLElement>(tabStops)].find(isControl)
}

function firstTabStop(part: Element): HTMLElement | undefined {
  return [...part.querySelectorAll<HTMLElement>(tabStops)].find(isUsable)
}

function isControl(element: HTMLElement): boolean {
  return element.closest(aside) === null && isUsable(element)
}

/** Returns whether the Tab key can reach the element. */
function isUsable(element: HTMLElement): boolean {
  if (!element.isConnected || element.matches(':disabled, [tabindex="-1"]')) return false
  if (element instanceof HTMLInputElement && element.type === 'radio' && !element.checked) {
    const group = element.closest('[role=radiogroup]')
    if (group?.querySelector('input:checked')) return false
  }
  return element.checkVisibility()
}

/** Returns the button nearest to a disabled one, preferably the one before it. */
function nearestButton(origin: HTMLElement, parent: Element): HTMLElement | undefined {
  const buttons = [...parent.querySelectorAll<HTMLElement>('button:not([aria-haspopup])')]
  const distance = (button: HTMLElement) => Math.abs(buttons.indexOf(button) - buttons.indexOf(origin))
  return buttons.toSorted((left, right) => distance(left) - distance(right)).find(isUsable)
}

/** Returns the control that replaced `origin` when the field was rendered again. */
function findReplacement(origin: HTMLElement, own: Element): HTMLElement | undefined {
  const name = origin.getAttribute('aria-label') ?? origin.textContent
  return [...own.querySelectorAll<HTMLElement>(tabStops)].find(
    each =>
      isUsable(each) &&
      (origin.id === ''
        ? origin.matches('button') &&
          each.closest(field) === own &&
          name === (each.getAttribute('aria-label') ?? each.textContent)
        : each.id === origin.id),
  )
}

function findParentField(element: Element): Element | null {
  return element.parentElement?.closest(field) ?? null
}

function isInMenu(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=menu]') !== null
}

function findFirstAnswer<Item, Answer>(
  items: readonly Item[],
  find: (item: Item) => Answer | undefined,
): Answer | undefined {
  for (const item of items) {
    const answer = find(item)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** Returns the fields that the focus leaves: the field around it, and each of its parents without the next focus. */
export function listLeftPaths(target: Element, next: EventTarget | null): string[] {
  // The window has lost the focus, or a field's own menu has it.
  if (document.activeElement === target || isInMenu(next)) return []
  const paths: string[] = []
  for (
    let at = target.closest<HTMLElement>(field);
    at;
    at = at.parentElement?.closest<HTMLElement>(field) ?? null
  )
    if (!(next instanceof Node && at.contains(next))) paths.push(at.dataset.path ?? '')
  return paths
}
