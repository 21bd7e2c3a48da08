import { lazy, type ReactNode, Suspense } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { type ToolTab, useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { Loading } from '../../ui/badge.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { ToolHead } from './tool-head.tsx'
import styles from './tool-pane.module.css'

const ReferenceTab = lazy(async () => ({
  default: (await import('./reference-tab.tsx')).ReferenceTab,
}))

const SkillTab = lazy(async () => ({ default: (await import('./skill-tab.tsx')).SkillTab }))

const allTabs: readonly Tab<ToolTab>[] = [
  { id: 'form', label: 'Form', testId: 'form-tab' },
  { id: 'json', label: 'JSON', testId: 'json-tab' },
  { id: 'reference', label: 'Reference', testId: 'reference-tab' },
  { id: 'versions', label: 'Versions', testId: 'versions-tab' },
  { id: 'examples', label: 'Examples' },
]

interface ToolTabsProps {
  readonly tool: ToolDetail
  readonly label: string
  /** The tabs that are shown. */
  readonly ids: ReadonlySet<ToolTab>
  readonly tab: ToolTab
  /** The body of the versions tab; absent without versions. */
  readonly versions: ReactNode | undefined
  /** The body of the input's tabs. */
  readonly children?: ReactNode
}

/** The tabs of a tool. Reference and versions need only its manifest. */
export function ToolTabs({ tool, label, ids, tab, versions, children }: ToolTabsProps) {
  const go = useWorkbenchNavigate()
  useShortcut('show-reference', () => go({ tab: 'reference' }), ids.has('reference'))
  useShortcut('show-versions', () => go({ tab: 'versions' }), versions !== undefined)
  const broken = (error: unknown) => (
    <div style={{ padding: 16 }}>
      <ErrorNote error={error} title="Something went wrong here" hint="The other tabs still work." />
    </div>
  )
  const body = (
    <div className={join('scroll', styles.body)}>
      <ErrorBoundary resetKey={`${tool.ref} ${tab}`} fallback={broken}>
        <Suspense fallback={<Loading />}>
          {tab === 'versions' && versions}
          {tab === 'reference' &&
            (tool.skill === undefined ? (
              <ReferenceTab tool={tool} />
            ) : (
              <SkillTab uri={tool.uri ?? ''} skill={tool.skill} />
            ))}
          {children}
        </Suspense>
      </ErrorBoundary>
    </div>
  )
  if (ids.size === 1) return body
  return (
    <Tabs
      label={label}
      tabs={allTabs
        .filter(({ id }) => ids.has(id))
        .map(each => (tool.kind === 'skill' && each.id === 'reference' ? { ...each, label: 'Skill' } : each))}
      value={tab}
      onChange={id => go({ tab: id === 'form' ? undefined : id })}
    >
      {body}
    </Tabs>
  )
}

/** A tool that cannot be called, for reading. Its React key must be the tool's ref. */
export function ToolReader({ tool, versions }: Pick<ToolTabsProps, 'tool' | 'versions'>) {
  const { tab } = useWorkbenchSearch()
  const ids = new Set<ToolTab>(['reference'])
  if (tool.kind === undefined && versions !== undefined) ids.add('versions')
  const visibleTab = tab !== undefined && ids.has(tab) ? tab : 'reference'
  return (
    <section className={join('pane', styles.pane)} aria-label="Tool">
      <ToolHead tool={tool} />
      <ToolTabs label="About the tool" tool={tool} ids={ids} tab={visibleTab} versions={versions} />
    </section>
  )
}
