import { type ComponentProps, useMemo, useRef } from 'react'
import type { PromptAnswer } from '../../../core/api/prompt.ts'
import { promptFormats, promptFormatTitles } from '../../../core/prompt/prompt-formats.ts'
import { useSources } from '../../api/use-sources.ts'
import { useDebouncedText } from '../../ui/filter-field.tsx'
import { formatCount } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { Segments, ToggleChips } from '../../ui/toggle-buttons.tsx'
import { useVirtualRows, VirtualRows } from '../../ui/virtual-rows.tsx'
import styles from './prompt.module.css'
import { parseRefs, usePromptSearch } from './prompt-search.ts'

const filterTools = 'Filter tools (text or glob)'

/** The format of the prompt, and the tools in it. */
export function Choice({ answer }: { readonly answer: PromptAnswer | undefined }) {
  const [{ format, form, q = '', without }, go] = usePromptSearch()
  const search = useRef<HTMLInputElement>(null)
  useShortcut('search', () => search.current?.focus())
  const excluded = parseRefs(without)
  return (
    <>
      <div className={join('stack', styles.form)}>
        <Segments
          look="grid"
          legend="Format"
          choices={promptFormats.map(value => ({ value, label: promptFormatTitles[value] }))}
          value={format ?? 'mcp'}
          onChange={value => go({ format: value === 'mcp' ? undefined : value })}
        />
        <Segments
          look="grid"
          legend="How much"
          choices={[
            { value: 'full', label: 'Full' },
            { value: 'compact', label: 'Compact' },
          ]}
          value={form ?? 'full'}
          onChange={value => go({ form: value === 'full' ? undefined : value })}
        />
        <SourceChoice />
        <DebouncedField
          ref={search}
          type="search"
          aria-label={filterTools}
          placeholder={filterTools}
          maxLength={500}
          value={q}
          onChange={text => go({ q: text || undefined })}
        />
        {answer && (
          <p className={join('row wrap note', styles.chosen)} role="status">
            {formatCount(answer.toolCount)} of {formatCount(answer.matchedCount)} tools in the prompt
            {excluded.length > 0 && (
              <button type="button" className="link" onClick={() => go({ without: undefined })}>
                Include all again
              </button>
            )}
          </p>
        )}
      </div>
      {answer && <ToolChecks answer={answer} />}
    </>
  )
}

function SourceChoice() {
  const [{ source }, go] = usePromptSearch()
  const { data: sources = [] } = useSources()
  const chosen = source ? source.split(',') : []
  const offered = sources.filter(({ name, toolCount }) => toolCount > 0 || chosen.includes(name))
  if (offered.length < 2 && chosen.length === 0) return null
  return (
    <ToggleChips
      legend="Sources (all if none is selected)"
      choices={offered.map(({ name, toolCount }) => ({
        value: name,
        label: (
          <>
            <span className="truncate">{name}</span> {formatCount(toolCount)}
          </>
        ),
      }))}
      pressed={chosen}
      onChange={next => go({ source: next.join(',') || undefined })}
    />
  )
}

/** Every tool that was found, with its weight and a checkbox that excludes it. */
function ToolChecks({ answer }: { readonly answer: PromptAnswer }) {
  const [{ without }, go] = usePromptSearch()
  const excluded = useMemo(() => new Set(parseRefs(without)), [without])
  const weights = useMemo(
    () => new Map(answer.measure.tools.map(({ ref, tokens }) => [ref, tokens])),
    [answer.measure.tools],
  )
  const { scroller, virtualizer } = useVirtualRows(answer.matched.length, 28)
  const toggle = (ref: string) => {
    const next = excluded.has(ref) ? [...excluded].filter(each => each !== ref) : [...excluded, ref]
    go({ without: next.length > 0 ? JSON.stringify(next) : undefined })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a scrolling part of a flexible column
    <div ref={scroller} className={join('scroll', styles.list)} role="group" aria-label="Tools in the prompt">
      <VirtualRows virtualizer={virtualizer}>
        {({ index, key, start }) => {
          const tool = answer.matched[index]
          if (tool === undefined) return null
          const tokens = weights.get(tool.ref)
          return (
            <label
              key={key}
              className={join('row hoverable', styles.row)}
              style={{ transform: `translateY(${start}px)` }}
            >
              <input type="checkbox" checked={!excluded.has(tool.ref)} onChange={() => toggle(tool.ref)} />
              <span className="mono truncate grow" title={tool.ref}>
                {tool.name}
              </span>
              {tokens !== undefined && (
                <span className={join('note', styles.tokens)}>{formatCount(tokens)}</span>
              )}
            </label>
          )
        }}
      </VirtualRows>
    </div>
  )
}

interface DebouncedFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  /** The applied text (from the URL). */
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A field whose text is applied once the user stops typing, because each change makes the server count again. */
export function DebouncedField({ value, onChange, ...inputProps }: DebouncedFieldProps) {
  const [text, change] = useDebouncedText(value, onChange, 250)
  return (
    <input
      className="text-field"
      autoComplete="off"
      spellCheck={false}
      {...inputProps}
      value={text}
      onChange={event => change(event.target.value)}
    />
  )
}
