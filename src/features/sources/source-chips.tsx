import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { Popover as Radix } from 'radix-ui'
import { useCallback, useState } from 'react'
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

/** More than these never fit beside one another. */
const maxChips = 24
/** A longer list can be searched. */
const minSearched = 9

/**
 * Sources with their health, those that need the user first: as many as fit, the others in a menu. Chips that do not fit
 * wrap into lines that are clipped; the browser says which. What it says changes no width, so nothing is measured again.
 */
export function SourceChips() {
  const { data: sources = [] } = useSources()
  const [fitting, setFitting] = useState<ReadonlySet<string>>(new Set())
  const observe = useCallback((list: HTMLElement | null) => {
    if (list === null) return
    const observer = new IntersectionObserver(
      entries =>
        setFitting(before => {
          const next = new Set(before)
          for (const { target, intersectionRatio } of entries) {
            const name = (target as HTMLElement).dataset.source ?? ''
            if (intersectionRatio > 0.99) next.add(name)
            else next.delete(name)
          }
          return next
        }),
      { root: list, threshold: [0, 0.99, 1] },
    )
    const observeAll = () => {
      for (const chip of list.children) observer.observe(chip)
    }
    // Chips that are new have to be watched as well.
    const added = new MutationObserver(observeAll)
    added.observe(list, { childList: true })
    observeAll()
    return () => {
      added.disconnect()
      observer.disconnect()
    }
  }, [])
  const sorted = byAttention(sources)
  const chips = sorted.slice(0, maxChips)
  const hidden = sorted.filter((source, index) => index >= maxChips || !fitting.has(source.name))
  return (
    <nav className={styles.bar} aria-label={texts.sources}>
      <div className={styles.chips} ref={observe}>
        {chips.map(source => (
          <SourceButton
            key={source.name}
            source={source}
            className={join(styles.chip, !fitting.has(source.name) && styles.outside)}
          />
        ))}
      </div>
      {hidden.length > 0 && <MoreSources hidden={hidden} isAll={hidden.length === sources.length} />}
    </nav>
  )
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
      title={source.error?.detail.slice(0, 300)}
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

/** The sources that do not fit. Where it goes away, those that fit have more room than before. */
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
          {hidden.length} {isAll ? (hidden.length === 1 ? texts.sourceWord : texts.sourcesWord) : texts.more}
          <ChevronDown size={13} aria-hidden />
        </Button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={join(floating.menu, styles.menu)}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={texts.moreSources}
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
            {found.length === 0 && <p className="note padded">{texts.noSourceMatches}</p>}
          </div>
          <Link to="/sources" className={join(floating.item, 'hoverable')} onClick={close}>
            {texts.allSources}
          </Link>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
