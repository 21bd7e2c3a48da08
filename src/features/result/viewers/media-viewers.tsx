import { useEffect, useState } from 'react'
import { formatBytes } from '../../../ui/format.ts'
import styles from './content.module.css'
import { base64Size, bytesOf, fileNameOf, isAudioType, isImageType } from './media.ts'

/** An image block. A type that is no picture, or data that are none, is said in words. */
export function ImageViewer({ data, mimeType }: { readonly data: string; readonly mimeType: string }) {
  const url = useDataUrl(data, isImageType(mimeType) ? mimeType : undefined)
  const caption = `${mimeType} · ${formatBytes(base64Size(data))}`
  return (
    <figure className={styles.figure}>
      {url && <img className={styles.image} src={url} alt={`Result: ${mimeType}`} />}
      <figcaption className={styles.caption}>
        {url ? caption : `${caption}: cannot be shown as an image`}
      </figcaption>
    </figure>
  )
}

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
    <p className={styles.caption}>
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
