import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { formatBytes } from '../../../ui/format.ts'
import { join } from '../../../ui/join.ts'
import { DownloadButton } from '../download-button.tsx'
import { linesOf, maxHighlightLength, previewOf } from '../text-lines.ts'
import { jsonTokens } from './json-tokens.ts'
import styles from './text.module.css'

/** Up to here a text is one wrapped block; above, lines are drawn as they come into sight. */
const maxBlockLength = 60_000

interface TextViewerProps {
  readonly text: string
  readonly label: string
  readonly fileName: string
}

/** A text as it is, to the letter, of any size. */
export function TextViewer({ text, label, fileName }: TextViewerProps) {
  const { text: shown, cut } = useMemo(() => previewOf(text), [text])
  return (
    <>
      {cut && (
        <div className={styles.notice}>
          The first {formatBytes(shown.length)} of {formatBytes(text.length)} are shown.
          <DownloadButton text={text} fileName={fileName} label="Download all" />
        </div>
      )}
      {shown.length <= maxBlockLength ? (
        <Block text={shown} label={label} />
      ) : (
        <Lines text={shown} label={label} />
      )}
    </>
  )
}

function Block({ text, label }: { readonly text: string; readonly label: string }) {
  const isJson = /^\s*[[{"]/.test(text)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
    <section className={join(styles.text, styles.wrapped)} aria-label={label} tabIndex={0}>
      {isJson ? <Coloured text={text} /> : text}
    </section>
  )
}

function Lines({ text, label }: { readonly text: string; readonly label: string }) {
  const scroller = useRef<HTMLElement>(null)
  const lines = useMemo(() => linesOf(text), [text])
  const coloured = text.length <= maxHighlightLength && /^\s*[[{"]/.test(text)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 20,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
    <section ref={scroller} className={styles.text} aria-label={label} tabIndex={0}>
      <div className={styles.space} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(item => {
          const line = lines[item.index] ?? ''
          return (
            <div key={item.key} className={styles.line} style={{ transform: `translateY(${item.start}px)` }}>
              {coloured ? <Coloured text={line} /> : line}
            </div>
          )
        })}
      </div>
    </section>
  )
}

function Coloured({ text }: { readonly text: string }) {
  let at = 0
  return jsonTokens(text).map(token => {
    const key = at
    at += token.text.length
    if (token.kind === 'plain') return token.text
    return (
      <span key={key} className={styles[token.kind]}>
        {token.text}
      </span>
    )
  })
}
