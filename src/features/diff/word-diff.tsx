import { useState } from 'react'
import type { Change } from '../../../core/diff/change.ts'
import { formatCount } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { commonTexts } from '../../ui/texts.ts'
import longText from './visible-text.module.css'
import { VisibleText } from './visible-text.tsx'
import styles from './word-diff.module.css'

interface WordDiffProps {
  readonly words: NonNullable<Change['words']>
  /** Whether the added words contain a phrase that addresses a model: they are marked as a danger. */
  readonly cued: boolean
}

/**
 * A text before and after in one: added and removed words are marked by line and colour, and named for screen readers.
 */
export function WordDiff({ words, cued }: WordDiffProps) {
  const [open, setOpen] = useState(false)
  const { runs, omitted } = limitRuns(words, open)
  return (
    <div className={join('wrapped', styles.text)}>
      {runs.map((run, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is the only identity of a run
        <Run key={index} run={run} cued={cued} />
      ))}
      {(omitted > 0 || open) && (
        <button
          type="button"
          className={join('link', longText.more)}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? commonTexts.showLess : `Show ${formatCount(omitted)} more characters`}
        </button>
      )}
    </div>
  )
}

function Run({ run: { kind, text }, cued }: { readonly run: VisibleRun; readonly cued: boolean }) {
  if (kind === 'gap') return <span className="faint">{text}</span>
  if (kind === 'same') return <VisibleText text={text} />
  const Tag = kind === 'added' ? 'ins' : 'del'
  return (
    <Tag data-tone={kind === 'removed' ? 'bad' : cued ? 'warn' : 'ok'}>
      <span className="visually-hidden">[{kind}] </span>
      <VisibleText text={text} />
    </Tag>
  )
}

export interface VisibleRun {
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
}

/** Characters of unchanged text that are kept at each end of a run. */
const context = 160
/** Characters of changed text that are shown at first, and after “Show all”. */
const shortLimit = 2_000
const longLimit = 60_000

/** Returns the runs to render, and the number of omitted characters. At most 60,000 characters or 4,000 runs. */
export function limitRuns(
  words: NonNullable<Change['words']>,
  open: boolean,
): { readonly runs: readonly VisibleRun[]; readonly omitted: number } {
  const limit = open ? longLimit : shortLimit
  const runs: VisibleRun[] = []
  let total = 0
  let drawn = 0
  for (const { kind, text } of words) {
    total += text.length
    for (const run of kind === 'same' && !open ? withoutMiddle(text) : [{ kind, text }]) {
      if (drawn >= limit || runs.length >= 4_000) break
      const visiblePart = run.text.slice(0, limit - drawn)
      runs.push({ ...run, text: visiblePart })
      if (run.kind !== 'gap') drawn += visiblePart.length
    }
  }
  return { runs, omitted: total - drawn }
}

function withoutMiddle(text: string): readonly VisibleRun[] {
  if (text.length <= context * 3) return [{ kind: 'same', text }]
  return [
    { kind: 'same', text: text.slice(0, context) },
    { kind: 'gap', text: ' … ' },
    { kind: 'same', text: text.slice(-context) },
  ]
}
