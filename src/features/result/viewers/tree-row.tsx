import { isLosslessNumber } from 'lossless-json'
import { ChevronDown, CircleAlert } from 'lucide-react'
import type { CSSProperties, Ref } from 'react'
import { formatCount, plural } from '../../../ui/format.ts'
import { join } from '../../../ui/join.ts'
import { issueText } from '../ending-text.ts'
import styles from './tree.module.css'
import { closedPreview, previewStringLength, type TreeRow as Row } from './tree-rows.ts'

/** Longer strings are cut even when open; the raw view shows all. */
const maxStringLength = 20_000
/** Deeper rows are not indented further, so that the text stays readable. */
const maxIndentDepth = 24

interface TreeRowProps {
  readonly row: Row
  readonly index: number
  readonly top: number
  readonly active: boolean
  readonly elementId: string
  /** The search text; empty without a search. */
  readonly wanted: string
  readonly onPress: (row: Row, index: number) => void
  readonly ref: Ref<HTMLDivElement>
}

/** One row of the result tree; a value that breaks the schema has its issue below it. */
export function TreeRow({ row, index, top, active, elementId, wanted, onPress, ref }: TreeRowProps) {
  const broken = row.issues.length > 0
  const depth = Math.min(row.depth, maxIndentDepth)
  // Custom properties are not in React's CSSProperties.
  const style = { transform: `translateY(${top}px)`, '--depth': depth } as CSSProperties
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it handles the keys
    <div
      ref={ref}
      id={elementId}
      role="treeitem"
      tabIndex={-1}
      data-index={index}
      aria-level={row.depth + 1}
      aria-expanded={row.openable ? row.open : undefined}
      aria-selected={active}
      className={join(
        styles.row,
        row.openable && styles.openable,
        broken && styles.broken,
        active && styles.active,
      )}
      style={style}
      onClick={() => onPress(row, index)}
    >
      <div className={styles.line}>
        {row.openable && (
          <ChevronDown size={14} aria-hidden className={join(styles.chevron, !row.open && styles.folded)} />
        )}
        <span className={join('wrapped', styles.text)}>
          {row.label !== undefined && <Label row={row} wanted={wanted} />}
          <Value row={row} wanted={wanted} />
        </span>
      </div>
      {row.issues.map(issue => (
        <span key={`${issue.keyword} ${issue.message}`} className={styles.issue}>
          <CircleAlert
            size={12}
            aria-label="Breaks the schema:"
            style={{ verticalAlign: -2, marginRight: 4 }}
          />
          {issueText(issue)} · <code>{issue.path || '(the whole value)'}</code>
        </span>
      ))}
    </div>
  )
}

interface RowPartProps {
  readonly row: Row
  readonly wanted: string
}

function Label({ row, wanted }: RowPartProps) {
  if (row.kind === 'slice') return <span className={styles.position}>[{row.label}]</span>
  const isName = typeof row.label === 'string'
  return (
    <>
      {isName ? (
        <span className="json-key">
          <Marked text={String(row.label)} wanted={wanted} />
        </span>
      ) : (
        <span className={styles.position}>{row.label}</span>
      )}
      {row.kind === 'object' || row.kind === 'array' ? ' ' : ': '}
    </>
  )
}

function Value({ row, wanted }: RowPartProps) {
  const { kind, value, size } = row
  switch (kind) {
    case 'object':
      return <Members row={row} text={`{ ${formatCount(size)} }`} />
    case 'array':
      return <Members row={row} text={`[ ${formatCount(size)} ]`} />
    case 'slice':
      return null
    case 'string':
      return <Text text={String(value)} open={row.open} wanted={wanted} />
    case 'null':
      return (
        <span className={styles.null}>
          <Marked text="null" wanted={wanted} />
        </span>
      )
    case 'number':
    case 'boolean':
      return (
        <span className="json-number">
          <Marked text={isLosslessNumber(value) ? value.value : String(value)} wanted={wanted} />
        </span>
      )
  }
}

/** The number of members and, while they are folded, a preview of the first ones. */
function Members({ row, text }: { readonly row: Row; readonly text: string }) {
  const { value } = row
  const folded = row.openable && !row.open && typeof value === 'object' && value !== null
  return (
    <>
      <span className={styles.size}>{text}</span>
      {folded && <span className="muted"> {closedPreview(value)}</span>}
    </>
  )
}

interface TextProps {
  readonly text: string
  readonly open: boolean
  readonly wanted: string
}

function Text({ text, open, wanted }: TextProps) {
  const limit = open ? maxStringLength : previewStringLength
  const cut = text.length > limit
  // Folded text is quoted as JSON, so that a line break or a control character is visible; open text is shown as it is.
  const visibleText = open ? `"${text.slice(0, limit)}` : JSON.stringify(text.slice(0, limit)).slice(0, -1)
  return (
    <>
      <span className="json-string">
        <Marked text={cut ? `${visibleText}…` : `${visibleText}"`} wanted={wanted} />
      </span>
      {cut && <span className={styles.size}> {plural(text.length, 'character')}</span>}
    </>
  )
}

/** Characters in which matches are marked: a row shows few of a long text. */
const maxMarkedLength = 2_000

/** A text with the matches of the search marked. */
function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  const [lower, sought] = [text.toLowerCase(), wanted.toLowerCase()]
  // Lower case may be longer than the original: then the positions differ.
  if (sought === '' || lower.length !== text.length) return text
  const parts: (string | React.JSX.Element)[] = []
  let from = 0
  for (let at = lower.indexOf(sought); at >= 0 && at < maxMarkedLength; at = lower.indexOf(sought, from)) {
    const end = at + sought.length
    parts.push(
      text.slice(from, at),
      <mark key={at} className={styles.mark}>
        {text.slice(at, end)}
      </mark>,
    )
    from = end
  }
  return [...parts, text.slice(from)]
}
