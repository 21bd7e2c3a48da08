import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { SourceState } from '../../core/api/sources.ts'
import { toAppError } from '../../core/errors.ts'
import { useBackend } from '../api/backend.ts'
import { useLiveCatalog } from '../api/use-live-catalog.ts'
import { useRefusal } from '../api/use-refusal.ts'
import { useSources } from '../api/use-sources.ts'
import { AskBeforeLeaving, RunningCalls } from '../features/result/running-calls.tsx'
import { DropTarget } from '../features/sources/drop-target.tsx'
import type { AddSourceDialogProps } from '../features/sources/source-dialogs.tsx'
import { TrustDialog } from '../features/sources/trust-dialog.tsx'
import { useRemoveSource } from '../features/sources/use-source-actions.ts'
import { useWorkbenchNavigate, useWorkbenchSearch } from '../navigation.ts'
import { Spinner } from '../ui/badge.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { ErrorNote } from '../ui/notes.tsx'
import { useShortcut, useShortcutKeys } from '../ui/shortcut-handlers.ts'
import { useNarrow } from '../ui/split-pane.tsx'
import { followRenames } from '../ui/stored-tools.ts'
import type { TextFile } from '../ui/text-file.ts'
import { showNotice, showSourceChanged } from '../ui/toasts.ts'
import { useTitle } from '../ui/use-title.ts'
import { useStore } from '../ui/value-store.ts'
import { toPresentNames } from './open-call.ts'
import { useOpenSource } from './open-source.ts'
import { pages } from './page-links.tsx'
import { singleLetters } from './settings.ts'
import styles from './shell.module.css'
import { StatusLine } from './status-line.tsx'
import { TopBar } from './top-bar.tsx'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const LiveToasts = lazy(async () => ({
  default: (await import('./live-toasts.tsx')).LiveToasts,
}))
const KeysSheet = lazy(async () => ({
  default: (await import('./keys-sheet.tsx')).KeysSheet,
}))
const ExportDialog = lazy(async () => ({
  default: (await import('./export-dialog.tsx')).ExportDialog,
}))
const AddSourceDialog = lazy(async () => ({
  default: (await import('../features/sources/source-dialogs.tsx')).AddSourceDialog,
}))

const liveHandlers = { onSourceChanged: showSourceChanged, onNotice: showNotice }

/** A window of the page. Only one is open at a time. */
type Window = 'palette' | 'keys' | 'add-source' | 'export'

/** The frame of every page: top bar, the page itself, foot, and the windows above them. */
export function Shell() {
  const live = useLiveCatalog(liveHandlers)
  const narrow = useNarrow()
  const path = useRouterState({ select: state => state.location.pathname })
  const go = useWorkbenchNavigate()
  const openSource = useOpenSource()
  const backend = useBackend()
  const [open, setOpen] = useState<Window>()
  const [adding, setAdding] = useState<Pick<AddSourceDialogProps, 'files' | 'showsClients'>>({ files: [] })
  useShortcutKeys(useStore(singleLetters))
  useTitle(pages.find(({ to }) => to === path)?.label)
  useShortcut('palette', () => setOpen(open === 'palette' ? undefined : 'palette'))
  const { data: sources } = useSources()
  useEffect(() => {
    if (sources) followRenames(tool => toPresentNames(tool, sources))
  }, [sources])
  useShortcut('show-keys', () => setOpen('keys'))
  const mayAdd = useRefusal('POST /api/sources') === undefined && backend.has('POST /api/sources')
  const addSource = (files: readonly TextFile[], showsClients = false) => {
    setAdding({ files, showsClients })
    setOpen('add-source')
  }
  useShortcut('add-source', () => addSource([]), mayAdd)
  useShortcut('add-from-client', () => addSource([], true), mayAdd)
  useShortcut('show-export', () => setOpen('export'), mayAdd)
  const { about, tool } = useWorkbenchSearch()
  const removing = useRemoveSource(name => {
    if (about === name) go({ about: undefined, source: undefined })
  })
  const removeSource = (source: SourceState) =>
    removing.mutate(source, {
      onError: error => showNotice(`${source.name} was not removed: ${toAppError(error).toShape().title}`),
    })
  const windowProps = (name: Window) => ({
    open: open === name,
    onOpenChange: (next: boolean) => setOpen(next ? name : undefined),
  })
  return (
    <div className={styles.shell}>
      <TopBar />
      <DropTarget onFiles={mayAdd ? files => addSource(files) : undefined}>
        <main className={styles.main}>
          <ErrorBoundary fallback={error => <ErrorNote error={error} />}>
            <Suspense fallback={<Spinner />}>
              <Outlet />
            </Suspense>
          </ErrorBoundary>
        </main>
      </DropTarget>
      {/* Always rendered, because it is a row of the grid. */}
      <div>
        {live === 'signed-out' && (
          <ErrorNote
            shape={{
              code: 'unauthorised',
              title: 'Session expired',
              detail:
                'Open the link printed in the terminal, in any tab. This page then continues by itself.',
              hint: 'Your input is kept.',
            }}
          />
        )}
        {narrow && (
          <p className={styles.running} role="status">
            <RunningCalls openRef={tool} />
          </p>
        )}
        <Suspense>
          <LiveToasts />
        </Suspense>
      </div>
      {!narrow && <StatusLine live={live} openRef={tool} />}
      <AskBeforeLeaving />
      <Suspense>
        {open === 'palette' && <Palette {...windowProps('palette')} onRemoveSource={removeSource} />}
        {open === 'export' && <ExportDialog {...windowProps('export')} />}
        {open === 'keys' && <KeysSheet {...windowProps('keys')} />}
        {open === 'add-source' && (
          <AddSourceDialog {...adding} onClose={() => setOpen(undefined)} onAdded={openSource} />
        )}
      </Suspense>
      <TrustDialog />
    </div>
  )
}
