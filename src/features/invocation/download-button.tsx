import { Download } from 'lucide-react'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

interface DownloadButtonProps {
  readonly text: string
  readonly fileName: string
  readonly label: string
  readonly iconOnly?: boolean
}

/** Saves a text as a file. */
export function DownloadButton({ text, fileName, label, iconOnly = false }: DownloadButtonProps) {
  const onClick = () => saveFile(text, fileName)
  if (iconOnly) return <IconButton icon={Download} label={label} onClick={onClick} />
  return (
    <Button onClick={onClick}>
      <Download size={14} aria-hidden /> {label}
    </Button>
  )
}
