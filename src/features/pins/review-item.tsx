/** One item of a review: what is not as it was approved, with its proof or counterexample as in the diff report. */
import { ArrowRight, ExternalLink } from 'lucide-react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { ReviewItem } from '../../../core/api/pins.ts'
import { jsonEquals } from '../../../core/json/equality.ts'
import { isObject, type Json } from '../../../core/json/json.ts'
import { diffWords } from '../../../core/text/word-diff.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { ChangeItem } from '../diff/change-item.tsx'
import { printValue } from '../diff/change-texts.ts'
import type { OpenTool } from '../diff/report-sections.ts'
import { Cues, LongText, VisibleText, WordDiff } from '../diff/visible-text.tsx'
import { actionLooks, classLooks, findTextCues, formatApproval, kindNoun } from './pin-words.ts'
import styles from './pins.module.css'

/** Characters of a source's name in "fails in acme (now)"; a longer one is left out. */
const maxNameLength = 16

interface ReviewItemProps {
  readonly source: string
  readonly item: ReviewItem
  readonly onOpen: OpenTool
  /** The item changed after the review was opened. */
  readonly isNew: boolean
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
  /** Absent if it cannot be approved. */
  readonly onApprove: (() => void) | undefined
  readonly isBusy: boolean
  /** Why the server does not allow an approval. */
  readonly refused: string | undefined
}

/** An item with its class, what it does to calls, its changes, and the button that approves it. */
export function ReviewItemRow({ source, item, onOpen, ...rest }: ReviewItemProps) {
  const id = useId()
  const { ref, refusal } = item
  const { isNew, isChosen, onChoose, onApprove, isBusy, refused } = rest
  const name = item.kind === 'server' ? 'The server' : item.name
  return (
    <article className={styles.item} aria-labelledby={id} data-testid="pin-item" data-class={item.classes[0]}>
      <div className={styles.head}>
        {onApprove && (
          <label className={styles.choice}>
            <input
              type="checkbox"
              checked={isChosen}
              onChange={event => onChoose(event.target.checked)}
              disabled={isBusy}
            />
            <span className="visually-hidden">Choose {name}</span>
          </label>
        )}
        <ItemTitle id={id} item={item} />
        <ClassBadges item={item} />
        {isNew && <Badge tone="info">changed since you opened this page</Badge>}
        <span className={styles.acts}>
          {ref !== undefined && (
            <Button look="quiet" aria-label={`Open ${name}`} onClick={() => void onOpen(ref)}>
              <ExternalLink size={13} aria-hidden /> Open
            </Button>
          )}
          {onApprove && (
            <Button
              onClick={({ detail }) => {
                // The second press of a double click meets the item that has moved under the pointer.
                if (detail < 2) onApprove()
              }}
              disabled={isBusy}
              refused={refused}
              aria-label={`${approveWord(item)} ${name}`}
            >
              {approveWord(item)}
            </Button>
          )}
        </span>
      </div>
      {refusal !== undefined && (
        <p className="notice">
          It cannot be approved: <VisibleText text={refusal} />
        </p>
      )}
      <ItemChanges source={source} item={item} onOpen={onOpen} id={id} />
    </article>
  )
}

const approveWord = ({ after }: ReviewItem) => (after === undefined ? 'Approve removal of' : 'Approve')

/** The name of now, after the approved one if it was renamed. */
function ItemTitle({ id, item }: { readonly id: string; readonly item: ReviewItem }) {
  const { kind, name, pinnedName } = item
  const noun = kindNoun(kind)
  return (
    <h2 id={id} className={join(styles.name, kind === 'server' && styles.plain)}>
      {pinnedName !== undefined && (
        <>
          <span className="muted">
            <VisibleText text={pinnedName} />
          </span>{' '}
          <ArrowRight size={13} role="img" aria-label="renamed to" />{' '}
        </>
      )}
      {kind === 'server' ? 'The server' : <VisibleText text={name} />}
      {noun !== undefined && <span className={join('muted', styles.noun)}> {noun}</span>}
    </h2>
  )
}

/** The classes of an item, a rename, and what the policy does to its calls. */
export function ClassBadges({
  item,
}: {
  readonly item: Pick<ReviewItem, 'classes' | 'action' | 'pinnedName'>
}) {
  const { classes, action, pinnedName } = item
  return (
    <>
      {classes.map(each => {
        const { label, tone, icon, about } = classLooks[each]
        return (
          <Badge key={each} tone={tone} icon={icon} title={about}>
            {label}
          </Badge>
        )
      })}
      {pinnedName !== undefined && <Badge>renamed</Badge>}
      <span className={styles.action} data-tone={actionLooks[action].tone}>
        {actionLooks[action].text}
      </span>
    </>
  )
}

interface ItemChangesProps {
  readonly source: string
  readonly item: ReviewItem
  readonly onOpen: OpenTool
  /** Makes the ids of its changes unique. */
  readonly id: string
}

/** The differences: each change with its proof, or the whole definition of a new item. */
export function ItemChanges({ source, item, onOpen, id }: ItemChangesProps) {
  const { changes, before, after, ref, approvedAt, by } = item
  const sides = useMemo(
    () => ({ before: toTool(item.pinnedName ?? item.name, before), after: toTool(item.name, after) }),
    [item, before, after],
  )
  const names =
    source.length > maxNameLength
      ? { before: 'approved', after: 'now' }
      : { before: `${source} (approved)`, after: `${source} (now)` }
  if (after === undefined)
    return (
      <>
        <p className="muted">It was approved and is no longer listed. Approve that to forget it.</p>
        <Definitions parts={[['What was approved', before ?? {}]]} />
      </>
    )
  if (before === undefined) return <NewDefinition name={item.name} definition={after} />
  return (
    <>
      <div className={styles.changes}>
        {changes.map((change, at) => (
          <ChangeItem
            // Two changes of an item may share a fingerprint.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of an item never changes
            key={at}
            id={`${id}-change-${at}`}
            change={change}
            before={sides.before}
            after={sides.after}
            names={names}
            toolRef={ref}
            onOpen={onOpen}
          />
        ))}
      </div>
      {changes.length === 0 && (
        <FieldChanges before={before} after={after} isRenamed={item.pinnedName !== undefined} />
      )}
      <Definitions
        parts={[
          ['What was approved', before],
          ['What is listed now', after],
        ]}
      >
        {approvedAt !== undefined && `Approved ${formatApproval({ approvedAt, by })}`}
      </Definitions>
    </>
  )
}

/** Returns a definition as the parts of the diff report take it; they read schemas only, and any value is one for them. */
function toTool(name: string, definition: ReviewItem['after']): ManifestTool | undefined {
  if (definition === undefined) return undefined
  const { inputSchema, outputSchema } = definition
  return {
    name,
    inputSchema: isObject(inputSchema) ? inputSchema : {},
    ...(isObject(outputSchema) && { outputSchema }),
  }
}

/** A new item: its description, phrases in it that address a model, and the whole definition, as all of it is approved. */
function NewDefinition({
  name,
  definition,
}: {
  readonly name: string
  readonly definition: DefinitionFields
}) {
  const { description } = definition
  const cues = useMemo(() => findTextCues(name, definition), [name, definition])
  return (
    <>
      {typeof description === 'string' && description !== '' && (
        <p className={join('wrapped muted', styles.text)}>
          <LongText text={description} />
        </p>
      )}
      <Cues label="Cues in its texts" cues={cues} />
      <Definitions parts={[['Its definition in full', definition]]} isOpen />
    </>
  )
}

type DefinitionFields = Readonly<Record<string, unknown>>

/** The fields that differ, if the comparison found no change: words for texts, else both values. */
function FieldChanges({
  before,
  after,
  isRenamed,
}: {
  readonly before: DefinitionFields
  readonly after: DefinitionFields
  readonly isRenamed: boolean
}) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    // A definition comes from JSON.
    name => !jsonEquals((before[name] ?? null) as Json, (after[name] ?? null) as Json),
  )
  if (names.length === 0)
    return (
      <p className="muted">{isRenamed ? 'Only its name changed.' : 'Its content is as it was approved.'}</p>
    )
  return names.map(name => {
    const [left, right] = [before[name], after[name]]
    return (
      <section key={name} className={styles.field} aria-label={name}>
        <h3 className="muted">{name}</h3>
        {typeof left === 'string' && typeof right === 'string' ? (
          <WordDiff words={diffWords(left, right)} cued={false} />
        ) : (
          <div className={styles.pair}>
            <pre className="wrapped box">
              <LongText text={left === undefined ? 'absent' : printValue(left)} />
            </pre>
            <pre className="wrapped box">
              <LongText text={right === undefined ? 'absent' : printValue(right)} />
            </pre>
          </div>
        )}
      </section>
    )
  })
}

interface DefinitionsProps {
  /** Each with the title of its button. */
  readonly parts: readonly (readonly [title: string, definition: DefinitionFields])[]
  /** Whether the first is open at first. */
  readonly isOpen?: boolean
  readonly children?: ReactNode
}

/** Whole definitions as JSON, each on demand. */
function Definitions({ parts, isOpen = false, children }: DefinitionsProps) {
  const [openTitle, setOpen] = useState(isOpen ? parts[0]?.[0] : undefined)
  const open = parts.find(([title]) => title === openTitle)
  return (
    <div className="stack">
      <div className={join('row wrap small', styles.more)}>
        {parts.map(([title]) => (
          <button
            key={title}
            type="button"
            className="link"
            aria-expanded={title === openTitle}
            onClick={() => setOpen(title === openTitle ? undefined : title)}
          >
            {title}
          </button>
        ))}
        <span className="muted">{children}</span>
      </div>
      {open && (
        <pre className="wrapped box">
          <LongText text={printValue(open[1])} />
        </pre>
      )}
    </div>
  )
}
