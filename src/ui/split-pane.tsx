import { ArrowLeft } from 'lucide-react'
import { Fragment, type ReactNode, useCallback, useSyncExternalStore } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { Button } from './button.tsx'
import styles from './split-pane.module.css'

/**
 * Returns whether the panes must be stacked. The style sheets contain the same width.
 * @param maxWidth of a narrow page, in pixels
 */
export function useNarrow(maxWidth = 900): boolean {
  const query = `(max-width: ${maxWidth}px)`
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = globalThis.matchMedia?.(query)
      list?.addEventListener('change', listener)
      return () => list?.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => globalThis.matchMedia?.(query).matches ?? false)
}

export interface Pane {
  readonly id: string
  /** A CSS length or a percentage: `320px`, `40%`. */
  readonly size: string
  readonly minSize: string
  readonly content: ReactNode
}

/** Panes next to each other. Pointer and arrow keys move the separators; the widths are stored. */
export function SplitPane({ id, panes }: { readonly id: string; readonly panes: readonly Pane[] }) {
  const layout = useDefaultLayout({ id: `toolscope:${id}`, panelIds: panes.map(pane => pane.id) })
  return (
    <Group id={id} orientation="horizontal" style={{ height: '100%' }} {...layout}>
      {panes.map((pane, index) => (
        <Fragment key={pane.id}>
          {index > 0 && <Separator className={styles.handle} aria-label={`Resize ${pane.id}`} />}
          <Panel id={pane.id} defaultSize={pane.size} minSize={pane.minSize} style={{ overflow: 'hidden' }}>
            {pane.content}
          </Panel>
        </Fragment>
      ))}
    </Group>
  )
}

interface StackedPaneProps {
  /** The label of the back button. */
  readonly back: string
  readonly onBack: () => void
  readonly children: ReactNode
}

/** One pane with a back button above it, for a narrow page. */
export function StackedPane({ back, onBack, children }: StackedPaneProps) {
  return (
    <div className={styles.stack}>
      <div className={styles.back}>
        <Button look="quiet" onClick={onBack}>
          <ArrowLeft size={16} aria-hidden /> {back}
        </Button>
      </div>
      <div className={styles.scroll} data-stack>
        {children}
      </div>
    </div>
  )
}
