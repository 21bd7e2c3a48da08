import { Fragment, useState } from 'react'
import type { Change } from '../../../core/diff/change.ts'
import { formatCount } from '../../ui/format.ts'
import longText from './long-text.module.css'
import { VisibleText } from './visible-text.tsx'
import styles from './word-diff.module.css'
import { type ShownRun, shownRuns } from './word-runs.ts'

interface WordDiffProps {
  readonly words: NonNullable<Change['words']>
  /** The added words do what they should not: they are marked as a danger. */
  readonly cued: boolean
}

/** A text before and after in one: added and removed words are marked by line and colour, and named to screen readers. */
export function WordDiff({ words, cued }: WordDiffProps) {
  const [open, setOpen] = useState(false)
  const { runs, left } = shownRuns(words, open)
  return (
    <div className={styles.text}>
      {runs.map((run, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: runs have no identity but their position
        <Fragment key={index}>
          <Run run={run} cued={cued} />
        </Fragment>
      ))}
      {(left > 0 || open) && (
        <button type="button" className={longText.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : `Show ${formatCount(left)} more characters`}
        </button>
      )}
    </div>
  )
}

function Run({ run, cued }: { readonly run: ShownRun; readonly cued: boolean }) {
  const text = <VisibleText text={run.text} />
  switch (run.kind) {
    case 'added':
      return (
        <ins className={cued ? styles.cued : styles.added}>
          <span className="visually-hidden">[added] </span>
          {text}
        </ins>
      )
    case 'removed':
      return (
        <del className={styles.removed}>
          <span className="visually-hidden">[removed] </span>
          {text}
        </del>
      )
    case 'gap':
      return <span className={styles.gap}>{run.text}</span>
    case 'same':
      return text
  }
}
