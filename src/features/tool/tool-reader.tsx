import { lazy, type ReactNode, Suspense } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { join } from '../../ui/join.ts'
import { useShortcut } from '../../ui/shortcuts/shortcut-handlers.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ToolHead } from './tool-head.tsx'
import styles from './tool-pane.module.css'
import { readingTabs } from './tool-tabs.ts'

const SchemaView = lazy(async () => ({
  default: (await import('../schema-view/schema-view.tsx')).SchemaView,
}))
const HelpTab = lazy(async () => ({ default: (await import('../help/help-tab.tsx')).HelpTab }))

interface ToolReaderProps {
  readonly tool: ToolDetail
  /** The body of the versions tab; absent where no versions can be had. */
  readonly versions: ReactNode | undefined
}

/** The tool where nothing can be called: what there is to read of it. Give it the tool's ref as its key. */
export function ToolReader({ tool, versions }: ToolReaderProps) {
  const { tab } = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  const tabs = versions === undefined ? readingTabs.filter(({ id }) => id !== 'versions') : readingTabs
  const shown = tabs.find(({ id }) => id === tab)?.id ?? 'schema'
  useShortcut('show-schema', () => go({ tab: 'schema' }))
  useShortcut('show-help', () => go({ tab: 'help' }))
  return (
    <section className={join('pane', styles.pane)} aria-label="Tool">
      <ToolHead tool={tool} />
      <Tabs label="About the tool" tabs={tabs} value={shown} onChange={id => go({ tab: id })}>
        <div className={join('scroll', styles.body)}>
          <Suspense fallback={<Spinner />}>
            {shown === 'versions' ? (
              versions
            ) : shown === 'help' ? (
              <HelpTab tool={tool} />
            ) : (
              <SchemaView input={tool.inputSchema} output={tool.outputSchema} />
            )}
          </Suspense>
        </div>
      </Tabs>
    </section>
  )
}
