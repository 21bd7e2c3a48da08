import { useState } from 'react'
import type { ManRow } from '../../../core/help/row-facts.ts'
import type { Flag } from '../../../core/help/usage-line.ts'
import { Badge } from '../../ui/badge.tsx'
import { join } from '../../ui/join.ts'
import { TableHead } from '../../ui/table-head.tsx'
import { Choices } from './choices.tsx'
import type { DraftFiller } from './fill-draft.ts'
import styles from './man-rows.module.css'
import { texts } from './texts.ts'

interface ManRowsProps {
  readonly label: string
  readonly rows: readonly ManRow[]
  /** The flags of the fields at the top; absent for an output. */
  readonly flags?: readonly Flag[]
  /** Absent where there is no form to fill. */
  readonly filler?: DraftFiller | undefined
}

/** Rows drawn at first: a hostile schema may have a hundred thousand fields. */
const maxFirstRows = 400

/** Fields as a table: where, what kind, and what there is to know. Stacked where it is narrow. */
export function ManRows({ label, rows, flags = [], filler }: ManRowsProps) {
  const [all, setAll] = useState(false)
  const hints = new Map(flags.map(flag => [flag.name, flag.hint]))
  const shown = all ? rows : rows.slice(0, maxFirstRows)
  return (
    <>
      <table className={styles.table} aria-label={label}>
        <TableHead headings={[texts.name, texts.type, texts.description]} />
        <tbody>
          {shown.map((row, index) => (
            <Row
              // A path may stand twice, once in each variant.
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a tool never move
              key={index}
              row={row}
              hint={row.name === undefined ? undefined : hints.get(row.name)}
              filler={filler}
            />
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {texts.showAllRows(rows.length.toLocaleString('en'))}
        </button>
      )}
    </>
  )
}

interface RowProps {
  readonly row: ManRow
  readonly hint: string | undefined
  readonly filler: DraftFiller | undefined
}

function Row({ row, hint, filler }: RowProps) {
  const { path, inputPath, role, label, depth, required, type, constraints, choices } = row
  return (
    <tr>
      <th scope="row" style={{ paddingLeft: `${Math.min(depth, 6) * 14}px` }}>
        {role === 'variant' ? (
          <span className={join('muted', styles.variant)}>
            {texts.either} {label}
          </span>
        ) : (
          <code className={styles.name}>{hint === undefined ? path : `--${path}`}</code>
        )}
        {required && <span className={styles.required}>{texts.required}</span>}
      </th>
      <td className={styles.type}>
        <span>{type}</span>
        {hint?.startsWith('json') && <code className={styles.hint}>&lt;{hint}&gt;</code>}
      </td>
      <td>
        <div className={styles.inner}>
          {row.description !== undefined && <p className={styles.about}>{row.description}</p>}
          {constraints.length > 0 && (
            <p className={join('row wrap', styles.chips)}>
              {constraints.map(constraint => (
                <Badge key={constraint}>
                  <span className={styles.constraint}>{constraint}</span>
                </Badge>
              ))}
            </p>
          )}
          {choices.length > 0 && (
            <Choices
              of={path}
              choices={choices}
              onUse={filler && inputPath && (({ value }) => filler.use(inputPath, value, path))}
              isUsed={({ value }) =>
                filler !== undefined && inputPath !== undefined && filler.isUsed(inputPath, value)
              }
            />
          )}
          {row.preset !== undefined && (
            <p className={styles.fact}>
              {texts.default} <code>{row.preset}</code>
            </p>
          )}
          {row.examples.length > 0 && (
            <p className={styles.fact}>
              {texts.example} <code>{row.examples.join(', ')}</code>
            </p>
          )}
          {row.notices.map(notice => (
            <p key={notice} className={styles.fact}>
              {notice}
            </p>
          ))}
        </div>
      </td>
    </tr>
  )
}
