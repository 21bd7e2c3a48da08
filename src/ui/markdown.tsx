import { lazy, Suspense, useDeferredValue } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import styles from './markdown.module.css'
import { looksLikeMarkdown } from './markdown-check.ts'

const MarkdownBody = lazy(async () => ({ default: (await import('./markdown-body.tsx')).MarkdownBody }))

interface MarkdownProps {
  readonly text: string
}

/** A description: Markdown if it has marks, plain text if it has none or if parsing fails. */
export function Markdown({ text }: MarkdownProps) {
  return looksLikeMarkdown(text) ? <Parsed text={text} /> : <Plain text={text} />
}

function Plain({ text }: MarkdownProps) {
  return <p className={styles.plain}>{text}</p>
}

/** Shows plain text first: parsing a hundred descriptions must not delay their form. */
function Parsed({ text }: MarkdownProps) {
  const plain = <Plain text={text} />
  const isDrawn = useDeferredValue(true, false)
  if (!isDrawn) return plain
  return (
    <ErrorBoundary fallback={plain} resetKey={text}>
      <Suspense fallback={plain}>
        <MarkdownBody text={text} />
      </Suspense>
    </ErrorBoundary>
  )
}
