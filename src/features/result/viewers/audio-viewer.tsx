import { formatBytes } from '../../../ui/format.ts'
import styles from './content.module.css'
import { base64Size, isAudioType } from './media.ts'
import { useDataUrl } from './use-data-url.ts'

/** An audio block, with the browser's own controls. It never starts by itself. */
export function AudioViewer({ data, mimeType }: { readonly data: string; readonly mimeType: string }) {
  const url = useDataUrl(data, isAudioType(mimeType) ? mimeType : undefined)
  const caption = `${mimeType} · ${formatBytes(base64Size(data))}`
  return (
    <figure className={styles.figure}>
      {/* biome-ignore lint/a11y/useMediaCaption: a tool's sound comes without captions */}
      {url && <audio controls src={url} aria-label={`Result: ${mimeType}`} />}
      <figcaption className={styles.caption}>{url ? caption : `${caption}: cannot be played`}</figcaption>
    </figure>
  )
}
