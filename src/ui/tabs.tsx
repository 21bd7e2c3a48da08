import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { runKey } from './shortcut-handlers.ts'
import styles from './tabs.module.css'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly count?: number | undefined
  readonly testId?: string | undefined
}

interface TabsProps<Id extends string> {
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly value: Id
  readonly onChange: (id: Id) => void
  /** The body of the selected tab. */
  readonly children: ReactNode
  /** The body of one tab that is not removed while another tab is selected; replaces `children` for it. */
  readonly lasting?: { readonly id: Id; readonly body: ReactNode } | undefined
  readonly bodyTestId?: string
}

/**
 * Tabs with one body: the caller renders the content of the selected tab. Arrows, Home and End select a tab
 * (https://www.w3.org/WAI/ARIA/apg/patterns/tabs/).
 */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, value, onChange, children, bodyTestId, lasting } = props
  const isLasting = lasting?.id === value
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const index = tabs.findIndex(tab => tab.id === value)
  useEffect(() => showTab(list.current, index), [index])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
    // The focused tab, not the selected one: the next key may come before the selection is drawn.
    const focused = buttons.findIndex(button => button === event.target)
    const choose = (index: number) => {
      const at = (index + tabs.length) % tabs.length
      const tab = tabs[at]
      if (tab) onChange(tab.id)
      buttons[at]?.focus()
    }
    runKey(
      event,
      new Map([
        ['ArrowLeft', () => choose(focused - 1)],
        ['ArrowRight', () => choose(focused + 1)],
        ['Home', () => choose(0)],
        ['End', () => choose(tabs.length - 1)],
      ]),
    )
  }
  return (
    <div className="column grow">
      <div ref={list} className={styles.list} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(tab => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            className={styles.tab}
            data-testid={tab.testId}
            aria-selected={tab.id === value}
            // Only the selected tab has its panel on the page.
            aria-controls={tab.id === value ? id : undefined}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </button>
        ))}
      </div>
      {lasting && (
        <div
          {...(isLasting ? { id, role: 'tabpanel', 'aria-labelledby': `${id}-${value}` } : { hidden: true })}
          className={isLasting ? 'column grow' : undefined}
          tabIndex={-1}
        >
          {lasting.body}
        </div>
      )}
      {!isLasting && (
        <div
          // The key resets the state of the body when another tab is selected.
          key={value}
          id={id}
          role="tabpanel"
          aria-labelledby={`${id}-${value}`}
          className="column grow"
          data-testid={bodyTestId}
          tabIndex={-1}
        >
          {children}
        </div>
      )}
    </div>
  )
}

/** Pixels of the next tab that stay visible. */
const edge = 24

/** Scrolls a long row of tabs until the tab is visible. scrollIntoView would also scroll the page. */
function showTab(list: HTMLElement | null, index: number): void {
  const tab = list?.children[index]
  if (!list || !tab) return
  const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()]
  if (inner.left < outer.left) list.scrollLeft += inner.left - outer.left - edge
  else if (inner.right > outer.right) list.scrollLeft += inner.right - outer.right + edge
}
