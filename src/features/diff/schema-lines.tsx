import type { ChangedLine } from './changed-lines.ts'
import styles from './schema-lines.module.css'
import { VisibleText } from './visible-text.tsx'

const signs = { same: ' ', removed: '-', added: '+', gap: ' ' } as const

/** Lines of a schema: what went is red, what came is green, and each is named to screen readers. */
export function SchemaLines({ lines }: { readonly lines: readonly ChangedLine[] }) {
  return (
    <pre className={styles.lines}>
      {lines.map(({ kind, parts }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their position
        <div key={at} className={styles[kind]}>
          {(kind === 'removed' || kind === 'added') && <span className="visually-hidden">[{kind}] </span>}
          <span aria-hidden>{signs[kind]} </span>
          {parts.map(({ text, isMarked }, part) => {
            const Tag = isMarked ? (kind === 'added' ? 'ins' : 'del') : 'span'
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their position
              <Tag key={part}>
                <VisibleText text={text} />
              </Tag>
            )
          })}
        </div>
      ))}
    </pre>
  )
}
