import { useState } from 'react'
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

/** Characters that are shown at first, and after “Show all”. */
const shortLimit = 1_500
const longLimit = 60_000

/** A text of any length, hostile or not: its beginning, and more on demand. */
export function LongText({ text }: { readonly text: string }) {
  const [open, setOpen] = useState(false)
  const limit = open ? longLimit : shortLimit
  const cut = text.length > limit
  return (
    <>
      <VisibleText text={cut ? `${text.slice(0, limit)}…` : text} />
      {cut && open && <p className="muted">{formatCount(text.length - limit)} more characters</p>}
      {text.length > shortLimit && (
        <button
          type="button"
          className={join('link', styles.more)}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? commonTexts.showLess : `Show all ${formatCount(text.length)} characters`}
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

/**
 * Controls, format characters (bidirectional overrides, zero widths, tags), private use, fillers and variation
 * selectors; not tabs and line ends, which are visible.
 */
const unseen =
  /(?:(?![\t\n\r])(?:[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}]|[\u{e0100}-\u{e01ef}]))+/gu

/** The other characters of a longer run are counted, not named. */
const maxNamedCharacters = 4

/** Splits hostile text at hidden characters: `ab<U+200B>c` has three parts. */
export function visibleParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(unseen)) {
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
