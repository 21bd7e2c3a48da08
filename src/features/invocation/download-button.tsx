import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

interface DownloadButtonProps {
  readonly text: string
  readonly fileName: string
  readonly label: string
  readonly iconOnly?: boolean
}

function save(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has taken the blob by the time a minute is over; revoking at once would cancel a slow start.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves a text as a file. */
export function DownloadButton({ text, fileName, label, iconOnly = false }: DownloadButtonProps) {
  const onClick = () => save(text, fileName)
  if (iconOnly) return <IconButton icon={Download} label={label} onClick={onClick} />
  return (
    <Button onClick={onClick}>
      <Download size={14} aria-hidden /> {label}
    </Button>
  )
}
