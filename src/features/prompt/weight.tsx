import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { PromptAnswer } from '../../../core/api/prompt.ts'
import { pointerSegments } from '../../../core/json/pointer.ts'
import { budgetLine, compactSaving, encoding } from '../../../core/prompt/measure.ts'
import { formatCount } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { DebouncedField } from './choice.tsx'
import styles from './prompt.module.css'
import { parseBudget, usePromptSearch } from './prompt-search.ts'

const maxRows = 10

/** The totals, the saving of compact, the budget, and the heaviest tools and fields. */
export function Weight({ answer: { measure, toolCount } }: { readonly answer: PromptAnswer }) {
  const [{ budget }, go] = usePromptSearch()
  const budgetId = useId()
  const { total, full, compact } = measure
  const heaviest = measure.tools.toSorted((a, b) => b.tokens - a.tokens).slice(0, maxRows)
  return (
    <>
      <p className={styles.total}>
        <strong data-testid="prompt-total">{formatCount(total)}</strong> tokens
      </p>
      <dl className={join('small', styles.facts)}>
        <dt>Full</dt>
        <dd>{formatCount(full)}</dd>
        <dt>Compact</dt>
        <dd>
          {formatCount(compact)}
          {compactSaving(measure)}
        </dd>
        <dt>Counted with</dt>
        <dd>
          {encoding.name}: {encoding.note}
        </dd>
      </dl>
      <div className="row">
        <label htmlFor={budgetId} className={join('muted', styles.budget)}>
          Budget in tokens
        </label>
        <DebouncedField
          id={budgetId}
          inputMode="numeric"
          placeholder="10,000"
          value={budget ?? ''}
          onChange={text => go({ budget: parseBudget(text)?.toString() })}
        />
      </div>
      <p className={styles.line} role="status">
        {budgetLine({ budget: measure.budget, tools: { length: toolCount } })}
      </p>
      <Bars
        title="Heaviest tools"
        rows={heaviest.map(({ ref, name, tokens }) => ({ id: ref, ref, label: name, tokens }))}
      />
      <Bars
        title="Heaviest fields"
        rows={measure.fields.slice(0, maxRows).map(({ ref, name, path, tokens, tools, share }) => ({
          id: `${ref} ${path}`,
          ref,
          label: fieldLabel(path),
          tokens: tokens * tools,
          note:
            tools > 1
              ? `${formatCount(tokens)} in each of ${formatCount(tools)} tools`
              : `${Math.round(share * 100)}% of ${name}`,
        }))}
      />
      {measure.sources.length > 1 && (
        <Bars
          title="By source"
          rows={measure.sources
            .toSorted((a, b) => b.tokens - a.tokens)
            .slice(0, maxRows)
            .map(({ source, tokens, tools }) => ({
              id: source,
              label: source,
              tokens,
              note: `${formatCount(tools)} tools`,
            }))}
        />
      )}
    </>
  )
}

function fieldLabel(path: string): string {
  return pointerSegments(path.replace(/^\/inputSchema\/properties\//, '/')).join('/')
}

interface BarRow {
  readonly id: string
  /** The tool that the row links to. */
  readonly ref?: string
  readonly label: string
  readonly tokens: number
  readonly note?: string
}

/** A bar chart; each bar also has its label and number as text. */
function Bars({ title, rows }: { readonly title: string; readonly rows: readonly BarRow[] }) {
  if (rows.length === 0) return null
  const maxTokens = Math.max(1, ...rows.map(({ tokens }) => tokens))
  return (
    <section className={styles.chart} aria-label={title}>
      <h2>{title}</h2>
      <ol className={styles.rows}>
        {rows.map(({ id, ref, label, tokens, note }) => (
          <li key={id}>
            <div className={join('row', styles.words)}>
              {ref === undefined ? (
                <span className={join('mono truncate grow', styles.label)}>{label}</span>
              ) : (
                <Link
                  to="/"
                  search={{ tool: ref }}
                  className={join('mono truncate grow', styles.label)}
                  title={ref}
                >
                  {label}
                </Link>
              )}
              <span className={styles.tokens}>{formatCount(tokens)}</span>
            </div>
            <div className={styles.track} aria-hidden>
              <div className={styles.share} style={{ width: `${(100 * tokens) / maxTokens}%` }} />
            </div>
            {note && <p className={join('muted', styles.note)}>{note}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
