import { useEffect, useState } from 'react'
import { formatBytes } from '../../../ui/format.ts'
import styles from './content.module.css'
import { base64Size, bytesOf, fileNameOf, isAudioType, isImageType } from './media.ts'

interface MediaViewerProps {
  readonly type: 'image' | 'audio'
  readonly data: string
  readonly mimeType: string
}

/** A picture, or a sound with the browser's own controls, which never starts by itself. Where it is neither, words. */
export function MediaViewer({ type, data, mimeType }: MediaViewerProps) {
  const isFit = type === 'image' ? isImageType(mimeType) : isAudioType(mimeType)
  const url = useDataUrl(data, isFit ? mimeType : undefined)
  const label = `Result: ${mimeType}`
  const problem = type === 'image' ? ': cannot be shown as an image' : ': cannot be played'
  return (
    <figure className={styles.figure}>
      {url && type === 'image' && <img className={styles.image} src={url} alt={label} />}
      {/* biome-ignore lint/a11y/useMediaCaption: a tool's sound comes without captions */}
      {url && type === 'audio' && <audio controls src={url} aria-label={label} />}
      <figcaption className="note">
        {mimeType} · {formatBytes(base64Size(data))}
        {!url && problem}
      </figcaption>
    </figure>
  )
}

interface BlobLinkProps {
  readonly data: string
  readonly mimeType: string
  readonly uri: string
}

/** Bytes that the page does not draw, as a file to save. */
export function BlobLink({ data, mimeType, uri }: BlobLinkProps) {
  // Whatever the source calls it, the page only hands it on: never a type that a browser would run.
  const url = useDataUrl(data, 'application/octet-stream')
  const caption = `${mimeType || 'unknown type'} · ${formatBytes(base64Size(data))}`
  return (
    <p className="note">
      {url ? (
        <a href={url} download={fileNameOf(uri)}>
          Save {fileNameOf(uri)}
        </a>
      ) : (
        'Its data are broken'
      )}{' '}
      · {caption}
    </p>
  )
}

/** A URL for base64 data while the component is mounted; undefined without a type, or where the data are broken. */
export function useDataUrl(data: string, mimeType: string | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const bytes = mimeType === undefined ? undefined : bytesOf(data)
    if (!bytes) return
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType ?? '' }))
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [data, mimeType])
  return url
}
