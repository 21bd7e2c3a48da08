import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { saveFile } from '../../ui/save-file.ts'

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
