import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { Popover as Radix } from 'radix-ui'
import { type Dispatch, type SetStateAction, useCallback, useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useSources } from '../../api/use-sources.ts'
import { useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import floating from '../../ui/floating.module.css'
import { join } from '../../ui/join.ts'
import styles from './source-chips.module.css'
import { byAttention, healthSentence, healthText, healthTone } from './source-status.ts'
import { texts } from './texts.ts'

/** The most chips that can fit in one line. */
const maxChips = 24
/** A list of this length or longer has a search field. */
const minSearched = 9

/** Pixels of the menu at the end of the line. */
const menuRoom = 88

/** Whether the chip of each source is in the first line; absent for one that was not measured yet. */
type MeasuredChips = ReadonlyMap<string, boolean>

/**
 * Sources with their health, those that need the user first: as many as fit, the others in a menu. Chips that do not
 * fit wrap into clipped lines, which an observer reports. Its report changes no width, so it causes no further
 * measurement. The chip of the open source moves to the front if it would be in the menu; otherwise no chip moves.
 */
export function SourceChips() {
  const { about, tool } = useWorkbenchSearch()
  const { data: sources = [] } = useSources()
  const [inLine, setInLine] = useState<MeasuredChips>(new Map())
  const [inLineWithMenu, setInLineWithMenu] = useState<MeasuredChips>(new Map())
  const [first, setFirst] = useState<string>()
  const observe = useCallback((list: HTMLElement | null) => {
    if (list === null) return
    const ends = [observeFitting(list, 0, setInLine), observeFitting(list, menuRoom, setInLineWithMenu)]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  const sorted = withFirst(byAttention(sources), first)
  const chips = sorted.slice(0, maxChips)
  // If all chips fit, there is no menu, and they can use its space.
  const measured = sorted.every(({ name }) => inLine.get(name)) ? inLine : inLineWithMenu
  const isVisible = ({ name }: SourceState) => measured.get(name) ?? name === first
  const visible = chips.filter(isVisible)
  const hidden = sorted.filter(source => !visible.includes(source))
  const open = about ?? sources.find(({ name }) => tool?.startsWith(`${name}/`))?.name
  if (open !== first && visible.length > 0 && hidden.some(({ name }) => name === open)) {
    setFirst(open)
    // It is measured again in its new place.
    const others = ([name]: readonly [string, boolean]) => name !== open
    setInLine(before => new Map([...before].filter(others)))
    setInLineWithMenu(before => new Map([...before].filter(others)))
  }
  const chip = (source: SourceState) => (
    <SourceButton
      // A new element is measured in any case.
      key={source.name === first ? `${first} ` : source.name}
      source={source}
      className={join(styles.chip, !isVisible(source) && styles.outside)}
    />
  )
  return (
    <nav aria-label={texts.sources} className={styles.bar}>
      <div className={join(styles.chips, hidden.length > 0 && styles.withMenu)} ref={observe}>
        {visible.map(chip)}
        {hidden.length > 0 && (
          <span className={styles.end} key=" ">
            <MoreSources hidden={hidden} isAll={visible.length === 0} />
          </span>
        )}
        {chips.filter(source => !visible.includes(source)).map(chip)}
      </div>
    </nav>
  )
}

function withFirst(sorted: readonly SourceState[], first: string | undefined): readonly SourceState[] {
  const moved = sorted.find(({ name }) => name === first)
  return moved === undefined ? sorted : [moved, ...sorted.filter(source => source !== moved)]
}

/** Reports the sources whose chips are in the first line of `list`, with `room` pixels free at its end. */
function observeFitting(
  list: HTMLElement,
  room: number,
  report: Dispatch<SetStateAction<MeasuredChips>>,
): () => void {
  const observer = new IntersectionObserver(
    entries =>
      report(before => {
        const next = new Map(before)
        for (const { target, intersectionRatio } of entries) {
          const { source } = (target as HTMLElement).dataset
          if (source !== undefined && target.isConnected) next.set(source, intersectionRatio > 0.99)
        }
        return next
      }),
    { root: list, rootMargin: `0px -${room}px 0px 0px`, threshold: [0, 0.99, 1] },
  )
  const observeAll = () => {
    for (const chip of list.children) observer.observe(chip)
  }
  // New chips must be observed too.
  const added = new MutationObserver(observeAll)
  added.observe(list, { childList: true })
  observeAll()
  return () => {
    added.disconnect()
    observer.disconnect()
  }
}

interface SourceButtonProps {
  readonly source: SourceState
  readonly className: string | undefined
  readonly onOpened?: () => void
}

/** Opens the source's own page. */
function SourceButton({ source, className, onOpened }: SourceButtonProps) {
  const { about } = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  return (
    <button
      type="button"
      className={className}
      data-source={source.name}
      aria-current={about === source.name ? 'page' : undefined}
      aria-label={healthSentence(source)}
      title={source.error?.detail.slice(0, 300) ?? healthSentence(source)}
      onClick={() => {
        go({ about: source.name, tool: undefined, tab: undefined })
        onOpened?.()
      }}
    >
      <Dot tone={healthTone(source)} />
      <span className="truncate">{source.name}</span>
      <span className={styles.count}>{healthText(source)}</span>
    </button>
  )
}

/** The sources that do not fit. */
function MoreSources({
  hidden,
  isAll,
}: {
  readonly hidden: readonly SourceState[]
  readonly isAll: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const found = hidden.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
  const close = () => setOpen(false)
  return (
    <Radix.Root
      open={isOpen}
      onOpenChange={next => {
        setOpen(next)
        setText('')
      }}
    >
      <Radix.Trigger asChild>
        <Button look="quiet" className={styles.more}>
          {hidden.length} {isAll ? (hidden.length === 1 ? 'source' : 'sources') : 'more'}
          <ChevronDown size={13} aria-hidden />
        </Button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={join(floating.menu, styles.menu)}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="More sources"
        >
          {hidden.length >= minSearched && (
            <FilterField
              label={texts.searchSources}
              placeholder={texts.searchSources}
              value={text}
              onChange={setText}
            />
          )}
          <div className={styles.list}>
            {found.map(source => (
              <SourceButton
                key={source.name}
                source={source}
                className={join(floating.item, 'hoverable', styles.item)}
                onOpened={close}
              />
            ))}
            {found.length === 0 && <p className="note padded">No source matches.</p>}
          </div>
          <Link to="/sources" className={join(floating.item, 'hoverable')} onClick={close}>
            All sources
          </Link>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
