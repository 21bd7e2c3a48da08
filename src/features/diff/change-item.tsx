import { Check, CircleHelp } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import type { Change, Verdict, Witness } from '../../../core/diff/change.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { severityLooks } from '../../ui/severity-badges.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './change-item.module.css'
import { buildChangeTitle, formatPointer, printValue, type SideNames } from './change-texts.ts'
import { type ChangedLine, changedLines } from './changed-lines.ts'
import { isRenamed, type OpenTool } from './report-sections.ts'
import { texts } from './texts.ts'
import { Cues, LongText, VisibleText, WordDiff } from './visible-text.tsx'

interface ChangeItemProps {
  readonly id: string
  readonly change: Change
  /** The tool on each side; absent if the side has no such tool. */
  readonly before: ManifestTool | undefined
  readonly after: ManifestTool | undefined
  readonly names: SideNames
  /** The tool in which an input can be tried; absent if it is not open. */
  readonly toolRef: string | undefined
  readonly onOpen: OpenTool
}

/** One change: a sentence, the value that shows it, and the changed lines; details on demand. */
export const ChangeItem = memo(function ChangeItem(props: ChangeItemProps) {
  const { id, change, before, after, names, toolRef, onOpen } = props
  const { direction, words, cues = [], witness, tools, fingerprint } = change
  const [openParts, setOpenParts] = useState({ sides: false, proof: false })
  const { about, location, text } = buildChangeTitle(change)
  const lines = useMemo(
    () => (words ? [] : changedLines(change, before, after)),
    [change, words, before, after],
  )
  const hasSides = words === undefined && !isInMessage(change)
  const proof = proofTitle(change)
  return (
    <article
      id={id}
      className={styles.item}
      tabIndex={-1}
      aria-labelledby={`${id}-head`}
      data-testid="change"
    >
      <h3 id={`${id}-head`} className={styles.head}>
        <SeverityBadge change={change} />
        <span>
          {about} {location && <code>{<VisibleText text={location} />}</code>} <VisibleText text={text} />
        </span>
        <code className="faint" title="Fingerprint of this change, for an ignore file">
          id {fingerprint}
        </code>
      </h3>
      {witness && (
        <WitnessBox
          direction={direction === 'output' ? 'output' : 'input'}
          witness={witness}
          names={names}
          onTry={
            direction === 'input' && toolRef !== undefined
              ? inputText => onOpen(toolRef, inputText)
              : undefined
          }
        />
      )}
      {words && <WordDiff words={words} cued={cues.length > 0} />}
      <Cues label="Cues in the added text" cues={cues} />
      {tools && !isRenamed(change) && (
        <p className="muted">
          In <LongText text={tools.join(', ')} />
        </p>
      )}
      {isRenamed(change) && <Renames change={change} />}
      <Effects change={change} />
      {lines.length > 0 && <SchemaLines lines={lines} />}
      {(hasSides || proof) && (
        <div className={styles.more}>
          {hasSides && (
            <Toggle open={openParts.sides} onChange={sides => setOpenParts({ ...openParts, sides })}>
              Before and after in full
            </Toggle>
          )}
          {proof && (
            <Toggle open={openParts.proof} onChange={open => setOpenParts({ ...openParts, proof: open })}>
              {proof}
            </Toggle>
          )}
        </div>
      )}
      {openParts.sides && <BeforeAfter change={change} />}
      {openParts.proof && <Proof change={change} />}
    </article>
  )
})

/** Returns whether the message contains the values already, as in `false → true`, or there are none. */
function isInMessage(change: Change): boolean {
  const { before, after, message } = change
  if (isRenamed(change)) return true
  return [before, after].every(value => {
    if (value === undefined) return true
    if (typeof value === 'object') return false
    const text = String(value)
    return text.length < 60 && message.includes(text)
  })
}

/** Other locations of the change, and the changes that break callers only together with it. */
function Effects({ change: { alsoAt = [], refusedAt = [], breaksWith = [] } }: { readonly change: Change }) {
  const lists = [
    ['Also at:', alsoAt.map(formatPointer)],
    ['Refused in some inputs:', refusedAt.map(formatPointer)],
    ['Breaks callers together with other changes:', breaksWith],
  ] as const
  return lists.map(
    ([label, items]) =>
      items.length > 0 && (
        <p key={label} className="muted">
          {label} <LongText text={items.join(' · ')} />
        </p>
      ),
  )
}

interface ToggleProps {
  readonly open: boolean
  readonly onChange: (open: boolean) => void
  readonly children: string
}

function Toggle({ open, onChange, children }: ToggleProps) {
  return (
    <button type="button" className="link" aria-expanded={open} onClick={() => onChange(!open)}>
      {children}
    </button>
  )
}

/** Each name before and after; a single name is already in the heading. */
function Renames({ change: { tools, before } }: { readonly change: Change }) {
  if (tools === undefined || !Array.isArray(before)) return null
  const namesBefore: readonly unknown[] = before
  return (
    <ul className={styles.renames}>
      {tools.map((name, at) => (
        <li key={name}>
          <code>
            <VisibleText text={String(namesBefore[at])} />
          </code>{' '}
          →{' '}
          <code>
            <VisibleText text={name} />
          </code>
        </li>
      ))}
    </ul>
  )
}

const verdictWords = {
  proved: 'proved',
  refuted: 'refuted',
  unknown: 'undecided',
  invalid: 'not a valid schema',
} as const satisfies Record<Verdict, string>

/** Returns the label of the button that shows the proof; absent if there is no proof. */
function proofTitle({ strict, declared }: Change): string | undefined {
  const main = declared ?? strict
  if (main === undefined) return undefined
  if (main === 'proved') return 'Why this is proved'
  return main === 'unknown' ? 'Why this is undecided' : 'How this was decided'
}

/** Says how the verdict was reached, and for which callers it is true. */
function Proof({ change: { strict, declared, reason } }: { readonly change: Change }) {
  const main = declared ?? strict
  return (
    <div className="muted">
      <p>
        {main && <b>{verdictWords[main]}</b>}
        {reason && (
          <>
            : <VisibleText text={reason} />
          </>
        )}
      </p>
      {strict !== undefined && declared !== undefined && strict !== declared && (
        <p>
          For callers that send only declared fields: <b>{verdictWords[declared]}</b>. For any value:{' '}
          <b>{verdictWords[strict]}</b>.
        </p>
      )}
    </div>
  )
}

/** The part that changed: before next to after, or above it on a narrow page. */
function BeforeAfter({ change }: { readonly change: Change }) {
  return (
    <div className={styles.pair}>
      {(['before', 'after'] as const).map(side => (
        <figure key={side} className={styles.side}>
          <figcaption className={styles.label}>{side}</figcaption>
          {change[side] === undefined ? (
            <p className="faint">absent</p>
          ) : (
            <pre className={join('wrapped', styles.value)}>
              <LongText text={printValue(change[side])} />
            </pre>
          )}
        </figure>
      ))}
    </div>
  )
}

const signs = { same: ' ', removed: '-', added: '+', gap: ' ' } as const

/** Lines of a schema: removed ones red, added ones green, and each named for screen readers. */
function SchemaLines({ lines }: { readonly lines: readonly ChangedLine[] }) {
  return (
    <pre className={styles.lines}>
      {lines.map(({ kind, parts }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is the only identity of a line
        <div key={at} className={styles[kind]}>
          {(kind === 'removed' || kind === 'added') && <span className="visually-hidden">[{kind}] </span>}
          <span aria-hidden>{signs[kind]} </span>
          {parts.map(({ text, isMarked }, part) => {
            const Tag = isMarked ? (kind === 'added' ? 'ins' : 'del') : 'span'
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the position is the only identity of a part
              <Tag key={part}>
                <VisibleText text={text} />
              </Tag>
            )
          })}
        </div>
      ))}
    </pre>
  )
}

/** The severity of a change as icon, word and colour. */
export function SeverityBadge({ change: { severity, strict, declared } }: { readonly change: Change }) {
  const isCompatible = severity === 'info' && (strict === 'proved' || declared === 'proved')
  const isUndecided = strict === 'unknown' || declared === 'unknown'
  return (
    <>
      {isCompatible ? (
        <Badge tone="ok" icon={Check}>
          {texts.compatible}
        </Badge>
      ) : (
        <Badge {...severityLooks[severity]}>{severity}</Badge>
      )}
      {isUndecided && (
        <Badge tone="warn" icon={CircleHelp}>
          undecided
        </Badge>
      )}
    </>
  )
}

interface WitnessBoxProps {
  readonly direction: 'input' | 'output'
  readonly witness: Witness
  readonly names: SideNames
  /** Opens the tool with the input; absent if the new version is not open. */
  readonly onTry: ((inputText: string) => Promise<void>) | undefined
}

/** The words for a witness, by the side that accepts it: first for the old side, then for the new one. */
const verbs = {
  input: { before: ['worked in', 'fails in'], after: ['failed in', 'works in'] },
  output: { before: ['possible in', 'no longer in'], after: ['not promised by', 'possible in'] },
} as const

/** The counterexample: a value that one side accepts and the other refuses, and the error of the refusing side. */
function WitnessBox({ direction, witness, names, onTry }: WitnessBoxProps) {
  const [error, setError] = useState<unknown>()
  const [copied, copy] = useCopy()
  const { acceptedBy, path, error: refusal, value } = witness
  const [verbBefore, verbAfter] = verbs[direction][acceptedBy]
  // An input breaks when the new schema refuses it, an output when the old schema does.
  const breaks = acceptedBy === (direction === 'input' ? 'before' : 'after')
  const location = formatPointer(path)
  return (
    <section
      className={join(styles.witness, breaks && styles.breaks)}
      aria-label={direction === 'input' ? 'Input that proves it' : 'Output that proves it'}
    >
      <div className={styles.witnessText}>
        <p>
          <b data-tone={acceptedBy === 'before' ? 'ok' : 'plain'} className={styles.toned}>
            {verbBefore} {names.before}
          </b>{' '}
          ·{' '}
          <b data-tone={breaks ? 'bad' : 'ok'} className={styles.toned}>
            {verbAfter} {names.after}
          </b>{' '}
          <span className="muted">
            <VisibleText text={`${location} ${refusal}`.trim()} />
          </span>
        </p>
        <pre className="wrapped">
          <LongText text={printValue(value)} />
        </pre>
        <ErrorNote error={error} />
      </div>
      <div className={styles.witnessActions}>
        {onTry && (
          <Button
            title="Opens the tool with this input in its form, which replaces the entered one. Nothing is called."
            onClick={() => {
              setError(undefined)
              onTry(JSON.stringify(value, null, 2)).catch(setError)
            }}
          >
            Try in {names.after}
          </Button>
        )}
        <Button look="quiet" onClick={() => copy(JSON.stringify(value, null, 2))}>
          {copied ? commonTexts.copied : commonTexts.copy}
        </Button>
      </div>
    </section>
  )
}
