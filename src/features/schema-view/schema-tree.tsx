import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { createFormPlanner, type FormPlanner } from '../../../core/form/form-schema.ts'
import { typeLabel } from '../../../core/json-schema/describe.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { join } from '../../ui/join.ts'
import { factsOf, labelOf, partsOf, type SchemaPart } from './schema-parts.ts'
import styles from './schema-view.module.css'

const text = join('note', styles.text)

/** A schema as a tree of names, types and descriptions. References open on demand, so recursion does no harm. */
export function SchemaTree({ schema }: { readonly schema: JsonSchema }) {
  const planner = useMemo(() => createFormPlanner(schema), [schema])
  const root = planner.plan(schema)
  const parts = partsOf(planner, root)
  return (
    <div>
      {typeof root.schema.description === 'string' && <p className={text}>{root.schema.description}</p>}
      {parts.length === 0 && (
        <p className={text}>
          {root.kind === 'object' ? 'An object without named fields.' : typeLabel(schema)}
        </p>
      )}
      <PartList planner={planner} parts={parts} depth={0} />
    </div>
  )
}

interface PartListProps {
  readonly planner: FormPlanner
  readonly parts: readonly SchemaPart[]
  readonly depth: number
}

function PartList({ planner, parts, depth }: PartListProps) {
  return (
    <ul className={styles.list}>
      {parts.map(part => (
        <SchemaRow key={part.name} planner={planner} part={part} depth={depth} />
      ))}
    </ul>
  )
}

interface SchemaRowProps extends Omit<PartListProps, 'parts'> {
  readonly part: SchemaPart
}

/** The first level is open at first. */
function SchemaRow({ planner, part, depth }: SchemaRowProps) {
  const [open, setOpen] = useState(depth === 0)
  const node = planner.plan(part.schema)
  const parts = partsOf(planner, node)
  const facts = factsOf(node)
  const { description } = node.schema
  return (
    <li>
      <div className={join('row', styles.row)}>
        {parts.length > 0 ? (
          <button
            type="button"
            className="mini"
            aria-expanded={open}
            aria-label={`${open ? 'Fold' : 'Unfold'} ${part.name}`}
            onClick={() => setOpen(!open)}
          >
            {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          </button>
        ) : (
          <span className="mini" />
        )}
        <code className={part.isName ? styles.name : styles.role}>{part.name}</code>
        {part.required && <span className={styles.required}>required</span>}
        <span className={styles.type}>{labelOf(node, part.schema)}</span>
      </div>
      <div className={styles.body}>
        {typeof description === 'string' && description !== '' && <p className={text}>{description}</p>}
        {facts.map(([name, value]) => (
          <p key={name} className={text}>
            {name} <code>{value}</code>
          </p>
        ))}
        {node.notices.map(notice => (
          <p key={notice} className={text}>
            {notice}
          </p>
        ))}
        {open && parts.length > 0 && <PartList planner={planner} parts={parts} depth={depth + 1} />}
      </div>
    </li>
  )
}
