import { lazy, Suspense, useDeferredValue } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import styles from './markdown.module.css'
import { looksLikeMarkdown } from './markdown-check.ts'

const MarkdownBody = lazy(async () => ({ default: (await import('./markdown-body.tsx')).MarkdownBody }))

/** A description: markdown where it is, plain text where it is not or where parsing fails. */
export function Markdown({ text }: { readonly text: string }) {
  const plain = <p className={styles.plain}>{text}</p>
  // Plain first: parsing a hundred descriptions must not hold up the form that they explain.
  const isMarkdown = useDeferredValue(looksLikeMarkdown(text), false)
  if (!isMarkdown) return plain
  return (
    <ErrorBoundary fallback={plain} resetKey={text}>
      <Suspense fallback={plain}>
        <MarkdownBody text={text} />
      </Suspense>
    </ErrorBoundary>
  )
}
