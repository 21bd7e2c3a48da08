import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { join } from './join.ts'
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
  /** The body of the chosen tab. */
  readonly children: ReactNode
  readonly bodyTestId?: string
}

/** Tabs with one body: the caller renders what the chosen tab shows. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, value, onChange, children, bodyTestId } = props
  return (
    <Radix.Root
      className="column grow"
      value={value}
      onValueChange={next => {
        const tab = tabs.find(each => each.id === next)
        if (tab) onChange(tab.id)
      }}
    >
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map(tab => (
          <Radix.Trigger key={tab.id} value={tab.id} className={styles.tab} data-testid={tab.testId}>
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(tab => (
        // Every tab keeps its panel, so that aria-controls never points at nothing.
        <Radix.Content
          key={tab.id}
          value={tab.id}
          className={tab.id === value ? join('column grow', styles.body) : undefined}
          data-testid={tab.id === value ? bodyTestId : undefined}
          tabIndex={-1}
          forceMount
          hidden={tab.id !== value}
        >
          {tab.id === value && children}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
