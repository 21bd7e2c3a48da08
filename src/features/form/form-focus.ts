/** Where the focus goes in a form: to what an action brought, else beside what it took away, and never to the body. */
import styles from './form.module.css'

const tabStops = 'input, select, textarea, button, summary, a[href]'
const field = '[data-path]'
const row = `.${styles.row}`
/** Stands around a control and is none. */
const aside = `${row}, .${styles.description}, .${styles.error}, summary`
/** Beside buttons, what may bring other controls. A choice of a value keeps the focus, whatever it brings. */
const shapeChoices = `.${styles.union} > :first-child, .${styles.kind}, [data-more-fields]`

/** What was focused or pressed, and what was around it: it may be gone when the focus has to move. */
interface Action {
  readonly origin: HTMLElement
  /** The fields around it, the innermost first. */
  readonly fields: readonly Element[]
  /** The fields beside the innermost one, the nearest first, those below it before those above it. */
  readonly neighbours: readonly Element[]
  /** All fields and tab stops before the action; undefined where it cannot bring any. */
  readonly known: ReadonlySet<Element> | undefined
  readonly inRow: boolean
  readonly parent: Element | null
}

/**
 * Follows the focus in the fields of a form. After each action it moves the focus to the first control that came, or to
 * a neighbour of what is gone. Fields need not do anything for it.
 */
export class FormFocus {
  private host: HTMLElement | undefined
  private action: Action | undefined
  /** The key that is down. */
  private held: string | undefined
  private isPressed = false
  /** One element has lost the focus, the next does not have it yet. */
  private isMoving = false
  /** To be done once the pointer is up again. */
  private later: (() => void)[] = []

  /** Starts; returns the way to stop. */
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
      // Who presses beside all controls wants the focus nowhere.
      if (!isInMenu(target)) this.action = undefined
    })
    listen('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof HTMLElement) || isInMenu(relatedTarget)) return
      this.action = host.contains(relatedTarget) ? this.noted(relatedTarget) : undefined
      // A field may be drawn anew because it is left: what the focus is on its way to may go.
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
    // The click comes with the pointer's going up, in the same task.
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
   * Does what may move the fields, such as to show a message: not between the press and the click of a button, which would
   * miss it.
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

  /** A field's menu was closed: moves the focus to what its entry brought, else back to its button. */
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
    const target = this.brought(action) ?? (isLost ? (this.beside(action) ?? host) : undefined)
    if (target === undefined || target === active) return
    this.action = undefined
    // A form without any control.
    if (target === host) host.tabIndex = -1
    target.focus()
  }

  /** What comes later did not come with the action. */
  private forget(action: Action | undefined): void {
    if (action?.known && action === this.action) this.action = { ...action, known: undefined }
  }

  /** @param stays the user wants to go on where the focus is, whatever comes */
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
    for (let at = origin.closest(field); at; at = holderOf(at)) fields.push(at)
    const [own, holder] = fields
    const beside = holder ? [...holder.querySelectorAll(field)].filter(each => holderOf(each) === holder) : []
    const index = own ? beside.indexOf(own) : -1
    return {
      origin,
      fields,
      neighbours: [...beside.slice(index + 1), ...beside.slice(0, Math.max(0, index)).reverse()],
      known: undefined,
      inRow: origin.closest(row) !== null,
      parent: origin.parentElement,
    }
  }

  /** The first control that came with an action. */
  private brought({ fields: [own], known, inRow }: Action): HTMLElement | undefined {
    if (!known || !own?.isConnected) return undefined
    const fresh = [...(this.host?.querySelectorAll<HTMLElement>(`${field}, ${tabStops}`) ?? [])].filter(
      each => !known.has(each),
    )
    const control = fresh.find(each => !each.matches(field) && isControl(each))
    if (control === undefined) return undefined
    // Beside a field that came, what a button of a row brings is in place of the row's own control.
    return inRow && !fresh.some(each => each.matches(field)) ? firstControl(own) : control
  }

  /** The nearest control to one that is gone or disabled. */
  private beside({ origin, fields, neighbours, parent }: Action): HTMLElement | undefined {
    const [own, ...holders] = fields
    if (isUsable(origin)) return origin
    if (own?.isConnected)
      return (
        counterpartOf(origin, own) ??
        (parent?.contains(origin) ? nearestButton(origin, parent) : undefined) ??
        controlOf(own)
      )
    return firstOf(
      [...neighbours, ...holders].filter(each => each.isConnected),
      controlOf,
    )
  }
}

/** The first control of a field: its own, else one of its buttons. */
export function controlOf(part: Element): HTMLElement | undefined {
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

/** Whether the tab key can reach it. */
function isUsable(element: HTMLElement): boolean {
  if (!element.isConnected || element.matches(':disabled, [tabindex="-1"]')) return false
  if (element instanceof HTMLInputElement && element.type === 'radio' && !element.checked) {
    const group = element.closest('[role=radiogroup]')
    if (group?.querySelector('input:checked')) return false
  }
  return element.checkVisibility()
}

/** The button nearest to one that was disabled, the one before it first. */
function nearestButton(origin: HTMLElement, parent: Element): HTMLElement | undefined {
  const buttons = [...parent.querySelectorAll<HTMLElement>('button:not([aria-haspopup])')]
  const distance = (button: HTMLElement) => Math.abs(buttons.indexOf(button) - buttons.indexOf(origin))
  return buttons.toSorted((left, right) => distance(left) - distance(right)).find(isUsable)
}

/** What stands in the place of a control that was drawn anew. */
function counterpartOf(origin: HTMLElement, own: Element): HTMLElement | undefined {
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

function holderOf(element: Element): Element | null {
  return element.parentElement?.closest(field) ?? null
}

function isInMenu(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=menu]') !== null
}

function firstOf<Item, Answer>(
  items: readonly Item[],
  find: (item: Item) => Answer | undefined,
): Answer | undefined {
  for (const item of items) {
    const answer = find(item)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** The places that the focus leaves: the field around it, and each of its holders that does not hold the next one too. */
export function placesLeft(target: Element, next: EventTarget | null): string[] {
  // The window loses the focus, or a field's own menu has it for a while.
  if (document.activeElement === target || isInMenu(next)) return []
  const places: string[] = []
  for (
    let at = target.closest<HTMLElement>(field);
    at;
    at = at.parentElement?.closest<HTMLElement>(field) ?? null
  )
    if (!(next instanceof Node && at.contains(next))) places.push(at.dataset.path ?? '')
  return places
}
