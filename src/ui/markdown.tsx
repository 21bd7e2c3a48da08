import {
  type CSSProperties,
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'

import { dedent, joinWrapped } from '../../core/text/join-wrapped.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { join } from './join.ts'
import styles from './markdown.module.css'
import { looksLikeMarkdown } from './markdown-check.ts'

interface DescriptionProps {
  readonly text: string
  /** Id of the text, for `aria-describedby`. */
  readonly id?: string
  /** Lines that are shown before "Show all". */
  readonly lines?: number
}

/** Characters that fit on a line of any column: a text that needs no more lines than are shown is not measured. */
const minLineLength = 25

/** One observer for all descriptions: a form has hundreds. */
const onResize = new WeakMap<Element, () => void>()
const sizes = new ResizeObserver(entries => {
  for (const { target } of entries) onResize.get(target)?.()
})

/** The Markdown description of a tool, an agent or a field. A long one is cut and opens on demand. */
export function Description({ text, id, lines = 3 }: DescriptionProps) {
  const ownId = useId()
  const body = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [isCut, setCut] = useState(false)
  const joined = useMemo(() => joinWrapped(dedent(text)), [text])
  const isMarkdown = looksLikeMarkdown(joined)
  const mayBeLong = joined.length > lines * minLineLength || joined.includes('\n')
  useEffect(() => {
    const outer = body.current
    if (!outer || open || !mayBeLong) return
    // The Markdown inside is drawn after its text, and then changes its size.
    const inner = outer.firstElementChild ?? outer
    onResize.set(inner, () => setCut(outer.scrollHeight > outer.clientHeight + 1))
    sizes.observe(inner)
    return () => sizes.unobserve(inner)
  }, [open, mayBeLong])
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a focused link in the cut-off part must be visible */}
      <div
        ref={body}
        id={id ?? ownId}
        className={join(!isMarkdown && styles.plain, !open && mayBeLong && styles.clamped)}
        {...(lines !== 3 && { style: { '--lines': lines } as CSSProperties })}
        onFocus={() => isCut && setOpen(true)}
      >
        {isMarkdown ? (
          <div>
            <Markdown text={joined} />
          </div>
        ) : (
          joined
        )}
      </div>
      {(isCut || open) && (
        <button
          type="button"
          className="link"
          aria-expanded={open}
          aria-controls={id ?? ownId}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  )
}

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
