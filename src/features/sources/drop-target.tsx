import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useState } from 'react'
import { useBackend } from '../../api/backend.ts'
import { invalidate } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import styles from './add-source.module.css'

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Takes manifest files that are dropped anywhere on what it holds; a file that is none says why. */
export function DropTarget({ children }: { readonly children: ReactNode }) {
  const backend = useBackend()
  const client = useQueryClient()
  const go = useWorkbenchNavigate()
  const [over, setOver] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const refused = useRefusal('POST /api/manifests')
  if (!backend.has('POST /api/manifests') || refused !== undefined) return children

  const open = async (files: readonly File[]) => {
    try {
      for (const file of files) {
        const body = { name: file.name, text: await file.text() }
        const source = await backend.request('POST /api/manifests', { body })
        go({ about: source.name, tool: undefined })
      }
    } catch (thrown) {
      setError(thrown)
    }
    await invalidate(client, 'catalog')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a shortcut; the form does the same by keys.
    <div
      className={styles.target}
      data-over={over || undefined}
      onDragOver={event => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={event => {
        if (event.currentTarget === event.target) setOver(false)
      }}
      onDrop={event => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        void open([...event.dataTransfer.files])
      }}
    >
      {children}
      <Dialog title="The file could not be opened" open={error !== null} onOpenChange={() => setError(null)}>
        <ErrorNote error={error} />
      </Dialog>
    </div>
  )
}
