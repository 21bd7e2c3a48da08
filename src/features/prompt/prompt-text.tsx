import { useVirtualizer } from '@tanstack/react-virtual'
import { Check, Copy, Download } from 'lucide-react'
import { useMemo, useRef } from 'react'
import type { PromptAnswer, PromptQuery } from '../../../core/api/prompt.ts'
import { promptFormatTitles } from '../../../core/prompt/formats.ts'
import { useBackend } from '../../api/backend.ts'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { formatCount } from '../../ui/format.ts'
import { saveFile } from '../../ui/save-file.ts'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './prompt-text.module.css'

interface PromptTextProps {
  readonly answer: PromptAnswer
  readonly query: PromptQuery
  readonly busy: boolean
}

/** The exact prompt. Of a very long one the beginning is shown; Copy and Download take all of it. */
export function PromptText({ answer, query, busy }: PromptTextProps) {
  const backend = useBackend()
  const [copied, copy] = useCopy()
  const { preview, cut, characters, format } = answer
  const fullText = async () => (cut ? ((await backend.promptText?.(query)) ?? preview) : preview)
  const fileName = `prompt-${format}${answer.compact ? '-compact' : ''}.${format === 'text' ? 'txt' : 'json'}`
  return (
    <>
      <div className={styles.bar}>
        <h2>{promptFormatTitles[format]}</h2>
        <span className="muted">{formatCount(characters)} characters</span>
        {busy && <Spinner />}
        <span className="grow" />
        <Button onClick={async () => copy(await fullText())}>
          {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />} Copy
        </Button>
        <Button onClick={async () => saveFile(await fullText(), fileName)}>
          <Download size={14} aria-hidden /> Download
        </Button>
        <span className="visually-hidden" aria-live="polite">
          {copied ? 'Copied' : ''}
        </span>
      </div>
      {cut && (
        <p className={styles.notice}>
          The first {formatCount(preview.length)} characters are shown. Copy and download take all.
        </p>
      )}
      {format === 'text' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
        <section className={styles.wrapped} aria-label="The prompt" data-testid="prompt-text" tabIndex={0}>
          {preview}
        </section>
      ) : (
        <Lines text={preview} />
      )}
    </>
  )
}

function Lines({ text }: { readonly text: string }) {
  const scroller = useRef<HTMLElement>(null)
  const lines = useMemo(() => text.split('\n'), [text])
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 20,
  })
  return (
    <section
      ref={scroller}
      className={styles.text}
      aria-label="The prompt"
      data-testid="prompt-text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
      tabIndex={0}
    >
      <div className={styles.space} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <div key={key} className={styles.line} style={{ transform: `translateY(${start}px)` }}>
            {lines[index]?.slice(0, 5_000)}
          </div>
        ))}
      </div>
    </section>
  )
}
