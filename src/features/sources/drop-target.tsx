import { type DragEvent, type ReactNode, useState } from 'react'
import { readPickedFile, type TextFile } from '../../ui/text-file.ts'
import { showError } from '../../ui/toasts.ts'
import styles from './add-source.module.css'

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

interface DropTargetProps {
  /** Absent: nothing can be dropped. */
  readonly onFiles: ((files: readonly TextFile[]) => void) | undefined
  readonly children: ReactNode
}

/** Accepts files that are dropped anywhere on its children. */
export function DropTarget({ onFiles, children }: DropTargetProps) {
  const [over, setOver] = useState(false)
  if (onFiles === undefined) return children
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is optional; the form does the same by keys
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
        void Promise.all([...event.dataTransfer.files].map(readPickedFile)).then(onFiles, showError)
      }}
    >
      {children}
    </div>
  )
}
