import { formatBytes } from '../../../ui/format.ts'
import styles from './content.module.css'
import { base64Size, isImageType } from './media.ts'
import { useDataUrl } from './use-data-url.ts'

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
