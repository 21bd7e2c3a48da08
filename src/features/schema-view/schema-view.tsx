import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { createFormPlanner, type FormPlanner } from '../../../core/form/form-schema.ts'
import { typeLabel } from '../../../core/json-schema/describe.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { join } from '../../ui/join.ts'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import { Segments } from '../../ui/segments.tsx'
import { factsOf, labelOf, partsOf, type SchemaPart } from './schema-parts.ts'
import styles from './schema-view.module.css'
import { texts } from './texts.ts'

interface SchemaViewProps {
  readonly input: JsonSchema
  readonly output?: JsonSchema | undefined
}

/** What a tool takes and gives: as a tree to read, or as the raw JSON Schema. */
export function SchemaView({ input, output }: SchemaViewProps) {
  const [form, setForm] = useState<'tree' | 'json'>('tree')
  return (
    <div className={styles.view}>
      <Segments legend={texts.schemaView} look="apart" choices={forms} value={form} onChange={setForm} />
      <Part name={texts.input} schema={input} form={form} />
      {output === undefined ? (
        <p className="note">{texts.noOutputSchema}</p>
      ) : (
        <Part name={texts.output} schema={output} form={form} />
      )}
    </div>
  )
}

const forms = [
  { value: 'tree', label: texts.tree },
  { value: 'json', label: 'JSON' },
] as const

interface PartProps {
  readonly name: string
  readonly schema: JsonSchema
  readonly form: 'tree' | 'json'
}

function Part({ name, schema, form }: PartProps) {
  return (
    <section aria-label={texts.schemaOf(name)}>
      <h2 className={join('note', styles.heading)}>{name}</h2>
      {form === 'json' ? (
        <div className={styles.raw}>
          <JsonEditor label={texts.schemaAsJsonOf(name)} text={JSON.stringify(schema, null, 2)} readOnly />
        </div>
      ) : (
        <SchemaTree key={name} schema={schema} />
      )}
    </section>
  )
}

const text = join('note', styles.text)

/** A schema as a tree of names, types and descriptions. References open on demand, so recursion does no harm. */
function SchemaTree({ schema }: { readonly schema: JsonSchema }) {
  const planner = useMemo(() => createFormPlanner(schema), [schema])
  const root = planner.plan(schema)
  const parts = partsOf(planner, root)
  return (
    <div>
      {typeof root.schema.description === 'string' && <p className={text}>{root.schema.description}</p>}
      {parts.length === 0 && (
        <p className={text}>{root.kind === 'object' ? texts.objectWithoutNamedFields : typeLabel(schema)}</p>
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
            aria-label={`${open ? texts.collapse : texts.expand} ${part.name}`}
            onClick={() => setOpen(!open)}
          >
            {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          </button>
        ) : (
          <span className="mini" />
        )}
        <code className={part.isName ? styles.name : styles.role}>{part.name}</code>
        {part.required && <span className={styles.required}>{texts.required}</span>}
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
