import styles from './before-after.module.css'
import { LongText } from './long-text.tsx'
import { printValue } from './print-value.ts'

/** The part that changed, before beside after (above it where the page is narrow). */
export function BeforeAfter({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  return (
    <div className={styles.pair}>
      <Side label="before" value={before} />
      <Side label="after" value={after} />
    </div>
  )
}

function Side({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <figure className={styles.side}>
      <figcaption className={styles.label}>{label}</figcaption>
      {value === undefined ? (
        <p className={styles.absent}>absent</p>
      ) : (
        <pre className={styles.value}>
          <LongText text={printValue(value)} />
        </pre>
      )}
    </figure>
  )
}
