import { formatBytes } from '../../../ui/format.ts'
import styles from './content.module.css'
import { base64Size, fileNameOf } from './media.ts'
import { useDataUrl } from './use-data-url.ts'

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
