import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useBackend } from '../api/backend.ts'
import { useLiveCatalog } from '../api/use-live-catalog.ts'
import { useRefusal } from '../api/use-refusal.ts'
import { showNotice, showSourceChanged } from '../features/live/toasts.ts'
import { singleLetters } from '../features/settings/settings.ts'
import { AddSourceDialog } from '../features/sources/add-source-form.tsx'
import { DropTarget } from '../features/sources/drop-target.tsx'
import { TrustDialog } from '../features/sources/trust-dialog.tsx'
import { useWorkbenchNavigate } from '../navigation.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { useShortcut } from '../ui/shortcuts/shortcut-handlers.ts'
import { useShortcutKeys } from '../ui/shortcuts/use-shortcut-keys.ts'
import { Spinner } from '../ui/spinner.tsx'
import { useStore } from '../ui/store.ts'
import { useNarrow } from '../ui/use-narrow.ts'
import styles from './shell.module.css'
import { StatusLine } from './status-line.tsx'
import { TopBar } from './top-bar.tsx'

const Palette = lazy(async () => ({ default: (await import('../features/palette/palette.tsx')).Palette }))
const LiveToasts = lazy(async () => ({
  default: (await import('../features/live/live-toasts.tsx')).LiveToasts,
}))
const KeysSheet = lazy(async () => ({
  default: (await import('../features/settings/keys-sheet.tsx')).KeysSheet,
}))

const liveHandlers = { onSourceChanged: showSourceChanged, onNotice: showNotice }

/** A window of the page. One at a time. */
type Window = 'palette' | 'keys' | 'add-source'

/** The frame of every page: top bar, the page itself, foot, and the windows above them. */
export function Shell() {
  const live = useLiveCatalog(liveHandlers)
  const narrow = useNarrow()
  const go = useWorkbenchNavigate()
  const backend = useBackend()
  const [open, setOpen] = useState<Window>()
  useShortcutKeys(useStore(singleLetters))
  useShortcut('palette', () => setOpen(open === 'palette' ? undefined : 'palette'))
  useShortcut('show-keys', () => setOpen('keys'))
  const mayAdd = useRefusal('POST /api/sources') === undefined && backend.has('POST /api/sources')
  useShortcut('add-source', () => setOpen('add-source'), mayAdd)
  const windowProps = (name: Window) => ({
    open: open === name,
    onOpenChange: (next: boolean) => setOpen(next ? name : undefined),
  })
  return (
    <div className={styles.shell}>
      <TopBar />
      <DropTarget>
        <main className={styles.main}>
          <ErrorBoundary fallback={error => <ErrorNote error={error} />}>
            <Suspense fallback={<Spinner />}>
              <Outlet />
            </Suspense>
          </ErrorBoundary>
        </main>
      </DropTarget>
      {/* A row of the grid, also while it is empty. */}
      <div>
        <Suspense>
          <LiveToasts />
        </Suspense>
      </div>
      {!narrow && <StatusLine live={live} />}
      <Suspense>
        {open === 'palette' && <Palette {...windowProps('palette')} />}
        {open === 'keys' && <KeysSheet {...windowProps('keys')} />}
      </Suspense>
      <TrustDialog />
      <AddSourceDialog
        {...windowProps('add-source')}
        onOpened={source => go({ about: source.name, tool: undefined, tab: undefined })}
      />
    </div>
  )
}
