import { Link } from '@tanstack/react-router'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { PinReview, ReviewItem } from '../../../core/api/pins.ts'
import { toAppError } from '../../../core/errors.ts'
import { type PinClass, pinClasses } from '../../../core/pin/pin.ts'
import { useBackend } from '../../api/backend.ts'
import { useApproval, usePinReview, usePins } from '../../api/pins.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Loading } from '../../ui/badge.tsx'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { ToggleChips } from '../../ui/toggle-buttons.tsx'
import { useTitle } from '../../ui/use-title.ts'
import type { OpenTool } from '../diff/report-sections.ts'
import { classLooks, findUnseen, itemKey } from './pin-words.ts'
import styles from './pins.module.css'
import { ReviewItemRow } from './review-item.tsx'
import { useReviewSearch } from './review-search.ts'

/** Items that are rendered at first, and with each "Show more". */
const itemsAtOnce = 100

/** The page at `/review`: what of a source is not as it was approved, and the approval of all, some or none of it. */
export function ReviewPage({ onOpen }: { readonly onOpen: OpenTool }) {
  const [{ source }] = useReviewSearch()
  const backend = useBackend()
  useTitle(source === undefined ? 'Review' : `Review of ${source}`)
  if (!backend.has('GET /api/sources/{name}/pin'))
    return <EmptyState title="Approvals are not available here" />
  if (source === undefined)
    return (
      <EmptyState title="No source is named">
        Open a source in the catalog, and choose “Review” next to its approval.
      </EmptyState>
    )
  return <SourceReview key={source} source={source} onOpen={onOpen} />
}

interface SourceReviewProps {
  readonly source: string
  readonly onOpen: OpenTool
}

function SourceReview({ source, onOpen }: SourceReviewProps) {
  const { data: current, error, isPending } = usePinReview(source)
  const { data: pins } = usePins()
  const problem = pins?.problem
  return (
    <section className={join('page', styles.page)} aria-label="Review">
      <header className={styles.pageHead}>
        <h1 className={styles.title}>
          Review of <span className="name">{source}</span>
        </h1>
        <Link to="/" search={{ about: source }} className={buttonStyles.button}>
          To the source
        </Link>
      </header>
      {problem ? <ErrorNote shape={problem} /> : <ErrorNote error={error} />}
      {isPending && !problem && <Loading>Comparing with what was approved…</Loading>}
      {current && !problem && <StableReview current={current} file={pins?.file} onOpen={onOpen} />}
    </section>
  )
}

interface StableReviewProps {
  /** The newest review. */
  readonly current: PinReview
  /** The lock file. */
  readonly file: string | undefined
  readonly onOpen: OpenTool
}

/**
 * The review that the user reads. It stays as it is while the list of the source changes, because a press must not approve
 * what has just replaced something else: the page says that the list changed, and the user shows the new one.
 */
function StableReview({ current, file, onOpen }: StableReviewProps) {
  const [shown, setShown] = useState(current)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [changedKeys, setChangedKeys] = useState<ReadonlySet<string>>(new Set())
  const [message, setMessage] = useState<ReactNode>()
  const sentence = useRef<HTMLParagraphElement>(null)
  const approving = useApproval(current.source)
  const refused = useRefusal('PUT /api/sources/{name}/pin')
  const unseen = shown === current ? [] : findUnseen(shown, current)
  const isOutdated = unseen.length > 0 && shown.items.length > 0
  // Without anything new to read, the page follows: an item was approved elsewhere, or is as it was again.
  if (!isOutdated && shown !== current) setShown(current)

  const showCurrent = (next: PinReview, text: ReactNode) => {
    setChangedKeys(new Set(findUnseen(shown, next).map(itemKey)))
    setShown(next)
    setChosen(new Set())
    setMessage(text)
    sentence.current?.focus()
  }
  const approve = (body: Parameters<typeof approving.mutate>[0], items: readonly ReviewItem[]) => {
    setMessage(undefined)
    approving.mutate(body, {
      onSuccess: next => showCurrent(next, `Approved ${describeItems(items)}.`),
      onError: thrown => {
        if (toAppError(thrown).code === 'pin-changed') sentence.current?.focus()
      },
    })
  }
  const approvable = shown.items.filter(({ hash }) => hash !== undefined)
  const chosenItems = approvable.filter(item => chosen.has(itemKey(item)))
  // A first approval names the server too, as it is shown here.
  const server = shown.pinned ? [] : shown.items.filter(({ kind }) => kind === 'server')
  const toHashes = (items: readonly ReviewItem[]) => [
    ...new Set([...server, ...items].flatMap(({ hash }) => hash ?? [])),
  ]
  const failed = approving.error
  const hasChanged = failed !== null && toAppError(failed).code === 'pin-changed'
  return (
    <>
      <p ref={sentence} tabIndex={-1} className={styles.sentence} data-testid="review-summary">
        <Summary review={shown} file={file} />
      </p>
      <p
        role="status"
        className={message === undefined ? 'visually-hidden' : 'muted'}
        data-testid="review-done"
      >
        {message}
      </p>
      {isOutdated || hasChanged ? (
        <div className="notice" role="alert" data-testid="review-outdated">
          <div className="row wrap">
            <TriangleAlert size={14} aria-hidden className={styles.icon} />
            <span>
              {hasChanged ? 'Nothing was approved: the list' : 'The list'} of {current.source} changed after
              it was shown here.{' '}
              {unseen.length > 0 &&
                `${plural(unseen.length, 'item')} of the new one ${unseen.length === 1 ? 'was' : 'were'} not shown yet.`}
            </span>
            <Button
              onClick={() => {
                approving.reset()
                showCurrent(current, 'This is the list of now.')
              }}
            >
              <RefreshCw size={14} aria-hidden /> Show the new list
            </Button>
          </div>
        </div>
      ) : (
        <ErrorNote error={failed} />
      )}
      {shown.items.length > 0 && (
        <>
          <ApprovalBar
            items={shown.items}
            approvableCount={approvable.length}
            chosenItems={chosenItems}
            isBusy={approving.isPending}
            isOutdated={isOutdated}
            refused={refused}
            source={current.source}
            onAll={() => approve({ fingerprint: shown.fingerprint }, approvable)}
            onChosen={() => approve({ hashes: toHashes(chosenItems) }, chosenItems)}
          />
          <Items
            items={shown.items}
            row={item => {
              const { hash } = item
              const key = itemKey(item)
              return (
                <ReviewItemRow
                  key={key}
                  source={current.source}
                  item={item}
                  onOpen={onOpen}
                  isNew={changedKeys.has(key)}
                  isChosen={chosen.has(key)}
                  onChoose={isChosen => setChosen(toggled(chosen, key, isChosen))}
                  onApprove={
                    hash === undefined ? undefined : () => approve({ hashes: toHashes([item]) }, [item])
                  }
                  isBusy={approving.isPending}
                  refused={refused}
                />
              )
            }}
          />
        </>
      )}
    </>
  )
}

function toggled(chosen: ReadonlySet<string>, key: string, isChosen: boolean): ReadonlySet<string> {
  const next = new Set(chosen)
  if (isChosen) next.add(key)
  else next.delete(key)
  return next
}

/** Returns `greet`, or `3 items`. */
function describeItems(items: readonly ReviewItem[]): string {
  const [only] = items
  if (only === undefined || items.length > 1) return plural(items.length, 'item')
  return only.kind === 'server' ? 'the server' : `“${only.name.slice(0, 80)}”`
}

/** The result in sentences: what differs, what that does to calls, and what an approval writes. */
function Summary({ review, file }: { readonly review: PinReview; readonly file: string | undefined }) {
  const { items, pinned, pinnedAs, sameCount, source } = review
  const asks = items.filter(({ action }) => action === 'ask').length
  const blocks = items.filter(({ action }) => action === 'block').length
  const where = file === undefined ? 'the lock file' : <code>{file}</code>
  const known = pinnedAs !== undefined && pinnedAs !== source && (
    <>
      {' '}
      It was approved under the name <b className="mono">{pinnedAs}</b>.
    </>
  )
  if (items.length === 0)
    return (
      <>
        <b data-tone="ok">Everything is as it was approved</b>: {plural(sameCount, 'item')}.{known}
      </>
    )
  if (!pinned)
    return (
      <>
        <b>Nothing of this source is approved yet.</b> An approval writes what is shown here to {where}. From
        then on, each call is compared with it.
      </>
    )
  return (
    <>
      <b data-tone={blocks > 0 ? 'bad' : asks > 0 ? 'warn' : 'plain'}>
        {plural(items.length, 'difference')} from what was approved
      </b>
      {sameCount > 0 &&
        `, ${formatCount(sameCount)} ${sameCount === 1 ? 'item is' : 'items are'} as approved`}
      . {blocks > 0 && `${formatCount(blocks)} ${blocks === 1 ? 'is' : 'are'} blocked. `}
      {asks > 0 && `${formatCount(asks)} ${asks === 1 ? 'asks' : 'ask'} before a call. `}
      {asks + blocks === 0 && 'The policy lets calls go on. '}
      An approval writes what is shown here to {where}.{known}
    </>
  )
}

interface ApprovalBarProps {
  readonly source: string
  readonly items: readonly ReviewItem[]
  readonly approvableCount: number
  readonly chosenItems: readonly ReviewItem[]
  readonly isBusy: boolean
  readonly isOutdated: boolean
  readonly refused: string | undefined
  readonly onAll: () => void
  readonly onChosen: () => void
}

/** Approve all, the chosen ones, or none; and the filter by class. */
function ApprovalBar(props: ApprovalBarProps) {
  const { source, items, approvableCount, chosenItems, isBusy, isOutdated, refused } = props
  const [{ show, tool }, go] = useReviewSearch()
  const offered = pinClasses.filter(each => items.some(hasClass(each)))
  const whyNotAll = approvableCount > 0 ? undefined : 'No item can be approved.'
  const whyOutdated = isOutdated ? 'The list changed after it was shown. Show the new list first.' : undefined
  return (
    <div className={styles.bar} role="toolbar" aria-label="Approval">
      <Button
        look="primary"
        disabled={isBusy}
        refused={refused ?? whyOutdated ?? whyNotAll}
        onClick={props.onAll}
        data-testid="approve-all"
      >
        Approve all {formatCount(approvableCount)}
      </Button>
      <Button
        disabled={isBusy}
        refused={refused ?? (chosenItems.length === 0 ? 'Choose items first.' : undefined)}
        onClick={props.onChosen}
      >
        Approve chosen ({formatCount(chosenItems.length)})
      </Button>
      <Link
        to="/"
        search={{ about: source }}
        className={join(buttonStyles.button, buttonStyles.quiet)}
        title="Writes nothing: what differs keeps asking, or stays blocked"
      >
        Approve none
      </Link>
      <span className="grow" />
      {offered.length > 1 && (
        <ToggleChips<PinClass>
          legend="Show only"
          choices={offered.map(value => ({
            value,
            label: `${items.filter(({ classes }) => classes.includes(value)).length} ${classLooks[value].label}`,
            testId: `pin-class-${value}`,
          }))}
          pressed={offered.filter(each => each === show)}
          onChange={pressed => go({ show: pressed.find(each => each !== show) }, { replace: true })}
        />
      )}
      {tool !== undefined && items.some(({ ref }) => ref === tool) && (
        <Button look="quiet" onClick={() => go({ tool: undefined }, { replace: true })}>
          Show all items
        </Button>
      )}
    </div>
  )
}

const hasClass =
  (wanted: PinClass) =>
  ({ classes }: ReviewItem) =>
    classes.includes(wanted)

interface ItemsProps {
  readonly items: readonly ReviewItem[]
  readonly row: (item: ReviewItem) => ReactNode
}

/** The items that pass the filters, a portion at a time. The server is part of every tool's review. */
function Items({ items, row }: ItemsProps) {
  const [search] = useReviewSearch()
  // A filter for a class or a tool that all items have lost is ignored.
  const show = pinClasses.find(each => each === search.show && items.some(hasClass(each)))
  const tool = items.some(({ ref }) => ref === search.tool) ? search.tool : undefined
  const [count, setCount] = useState(itemsAtOnce)
  const filtered = items.filter(
    item =>
      (show === undefined || hasClass(show)(item)) &&
      (tool === undefined || item.ref === tool || item.kind === 'server'),
  )
  const visible = filtered.slice(0, count)
  return (
    <>
      {visible.length < items.length && (
        <p className="muted" role="status">
          {formatCount(visible.length)} of {plural(items.length, 'item')} shown. “Approve all” approves the
          others too.
        </p>
      )}
      <div className={styles.list}>{visible.map(row)}</div>
      {count < filtered.length && (
        <div>
          <Button onClick={() => setCount(count + itemsAtOnce)}>
            Show {formatCount(Math.min(itemsAtOnce, filtered.length - count))} more of{' '}
            {formatCount(filtered.length - count)}
          </Button>
        </div>
      )}
    </>
  )
}
