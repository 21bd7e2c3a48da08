import { lazy, Suspense } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import styles from './markdown.module.css'
import { looksLikeMarkdown } from './markdown-check.ts'

const MarkdownBody = lazy(async () => ({ default: (await import('./markdown-body.tsx')).MarkdownBody }))

/** A description: markdown where it is, plain text where it is not or where parsing fails. */
export function Markdown({ text }: { readonly text: string }) {
  const plain = <p className={styles.plain}>{text}</p>
  if (!looksLikeMarkdown(text)) return plain
  return (
    <ErrorBoundary fallback={plain} resetKey={text}>
      <Suspense fallback={plain}>
        <MarkdownBody text={text} />
      </Suspense>
    </ErrorBoundary>
  )
}
