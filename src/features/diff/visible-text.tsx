import { useState } from 'react'
import type { Change } from '../../../core/diff/change.ts'
import { hiddenRun } from '../../../core/text/plain-text.ts'
import { formatCount } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './visible-text.module.css'

/** Hostile text: hidden characters are shown as their codes, and it cannot reverse the text around it. */
export function VisibleText({ text }: { readonly text: string }) {
  return <bdi>{visibleParts(text).map(drawPart)}</bdi>
}

function drawPart({ hidden, text }: TextPart, index: number) {
  if (!hidden) return text
  return (
    <span key={index} className={styles.hidden} title="Hidden characters in the text">
      {text}
    </span>
  )
}

/** Characters that are shown at first, and of each portion after them. */
const shortLimit = 1_500
const longLimit = 60_000

/** A text of any length, hostile or not: its beginning, and the rest on demand, a portion at a time. */
export function LongText({ text }: { readonly text: string }) {
  const [limit, setLimit] = useState(shortLimit)
  const isCut = text.length > limit
  const isWholeNext = text.length <= longLimit
  return (
    <>
      <VisibleText text={isCut ? `${text.slice(0, limit)}…` : text} />
      {limit > shortLimit && isCut && (
        <button
          type="button"
          className={join('link', styles.more)}
          onClick={() => setLimit(limit + longLimit)}
        >
          Show {formatCount(Math.min(longLimit, text.length - limit))} more characters
        </button>
      )}{' '}
      {text.length > shortLimit && (
        <button
          type="button"
          className={join('link', styles.more)}
          aria-expanded={limit > shortLimit}
          onClick={() => setLimit(limit > shortLimit ? shortLimit : longLimit)}
        >
          {limit > shortLimit
            ? commonTexts.showLess
            : `Show ${isWholeNext ? 'all' : `${formatCount(longLimit)} of`} ${formatCount(text.length)} characters`}
        </button>
      )}
    </>
  )
}

/** Phrases in a text that address a model, such as “ignore previous instructions”. */
export function Cues({ label, cues }: { readonly label: string; readonly cues: readonly string[] }) {
  return (
    cues.length > 0 && (
      <ul className={styles.cues} aria-label={label}>
        {cues.map(cue => (
          <li key={cue}>
            ▲ <VisibleText text={cue} />
          </li>
        ))}
      </ul>
    )
  )
}

/** A piece of text: visible text, or a run of invisible characters. */
export interface TextPart {
  readonly hidden: boolean
  readonly text: string
}

/** The other characters of a longer run are counted, not named. */
const maxNamedCharacters = 4

/** Splits hostile text at hidden characters: `ab<U+200B>c` has three parts. */
export function visibleParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(hiddenRun)) {
    if (match.index > end) parts.push({ hidden: false, text: text.slice(end, match.index) })
    parts.push({ hidden: true, text: nameRun([...match[0]]) })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ hidden: false, text: text.slice(end) })
  return parts
}

function nameRun(characters: readonly string[]): string {
  if (characters.length <= maxNamedCharacters) return characters.map(formatCodePoint).join(' ')
  const words = characters.map(asciiOfTag).join('')
  const count = `${characters.length} invisible characters`
  return words === '' ? count : `${count}: “${words}”`
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Tag characters (U+E0020 to U+E007E) mirror ASCII: a model reads them, but they are invisible. */
function asciiOfTag(character: string): string {
  const code = (character.codePointAt(0) ?? 0) - 0xe0000
  return code >= 0x20 && code <= 0x7e ? String.fromCharCode(code) : ''
}

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
    <div className={join('wrapped', styles.words)}>
      {runs.map((run, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is the only identity of a run
        <Run key={index} run={run} cued={cued} />
      ))}
      {(omitted > 0 || open) && (
        <button
          type="button"
          className={join('link', styles.more)}
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
/** Characters of changed text that are shown at first. */
const shortDiffLimit = 2_000

/** Returns the runs to render, and the number of omitted characters. At most 60,000 characters or 4,000 runs. */
export function limitRuns(
  words: NonNullable<Change['words']>,
  open: boolean,
): { readonly runs: readonly VisibleRun[]; readonly omitted: number } {
  const limit = open ? longLimit : shortDiffLimit
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
