import { ChevronDown, ChevronRight } from 'lucide-react'
import { type CSSProperties, Fragment, memo, type ReactNode, useCallback, useMemo, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import type { FormNode } from '../../../core/form/form-node.ts'
import { listWarnings } from '../../../core/lint/lint-tools.ts'
import { toToolCommand } from '../../../core/prompt/tool-commands.ts'
import { usageFlags } from '../../../core/prompt/usage-line.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import { plainLine } from '../../../core/text/plain-text.ts'
import { shorten } from '../../../core/text/wording.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { Badge } from '../../ui/badge.tsx'
import { breakableName } from '../../ui/breakable-name.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { join } from '../../ui/join.ts'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import { TableHead } from '../../ui/table.tsx'
import {
  describeLimits,
  FieldReader,
  type FieldRow,
  formatDefault,
  formatDescription,
  listExamples,
  listFixedValues,
  typeWords,
} from './field-rows.ts'
import styles from './reference-tab.module.css'

/** The reference of a tool: portability warnings, usage line, fields of input and output, then the raw schemas. */
export function ReferenceTab({ tool }: { readonly tool: ToolDetail }) {
  const { inputSchema, outputSchema, writtenSchemas: written = {} } = tool
  return (
    <div className={styles.reference} data-testid="reference">
      <Warnings tool={tool} />
      {/* Only tools are commands; prompts and resources are not. */}
      {tool.kind === undefined && (
        <Usage command={tool.command ?? toToolCommand(tool.name)} inputSchema={inputSchema} />
      )}
      <Section title="Input">
        <FieldTable label="Input fields" schema={callerSchema(inputSchema)} />
      </Section>
      <Section title="Output">
        {outputSchema === undefined ? (
          <p className="note">No output schema: output is shown but cannot be validated.</p>
        ) : (
          <FieldTable label="Output fields" schema={outputSchema} />
        )}
      </Section>
      <Section title="Raw schemas">
        <RawSchema label="Input schema as JSON" schema={inputSchema} />
        {outputSchema !== undefined && <RawSchema label="Output schema as JSON" schema={outputSchema} />}
        {written.inputSchema !== undefined && (
          <RawSchema label="Input schema as the manifest has it" schema={written.inputSchema} />
        )}
        {written.outputSchema !== undefined && (
          <RawSchema label="Output schema as the manifest has it" schema={written.outputSchema} />
        )}
      </Section>
    </div>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  )
}

/** Lists what clients refuse or change in this tool. It is the first section, because the number in the catalog leads here. */
function Warnings({ tool }: { readonly tool: ToolDetail }) {
  const warnings = useMemo(() => listWarnings(tool), [tool])
  if (warnings.length === 0) return null
  return (
    <Section title="Portability">
      <ul className="stack">
        {warnings.map(({ rule, severity, path, message, remedy }) => (
          <li key={`${rule} ${path} ${message}`} className="stack">
            <p>
              <Badge tone={severity === 'error' ? 'bad' : 'warn'}>{severity}</Badge> {message}{' '}
              <code className="muted">{path}</code>
            </p>
            <p className="note">{remedy}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Maximum number of flags to draw: a schema can have thousands. The button copies all. */
const maxFlags = 100

interface UsageProps {
  readonly command: string
  readonly inputSchema: JsonSchema
}

function Usage({ command, inputSchema }: UsageProps) {
  const { flags, more } = usageFlags(inputSchema, maxFlags)
  return (
    <Section title="Usage">
      <div className={styles.usage}>
        <code>
          {command}
          {flags.map(flag => (
            <Fragment key={flag}>
              {' '}
              <span className={styles.flag}>{flag}</span>
            </Fragment>
          ))}
          {more > 0 && ` … and ${more.toLocaleString('en')} more`}
        </code>
        <CopyButton
          label="Copy the usage line"
          text={() => [command, ...usageFlags(inputSchema).flags].join(' ')}
        />
      </div>
      {flags.some(flag => flag.startsWith('[')) && <p className="note">[ ] = optional</p>}
    </Section>
  )
}

interface RawSchemaProps {
  readonly label: string
  readonly schema: JsonSchema
}

/** Serializes the schema and loads the editor only when it is opened. */
function RawSchema({ label, schema }: RawSchemaProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && (
        <div className={styles.raw}>
          <JsonEditor label={label} text={JSON.stringify(schema, null, 2)} readOnly />
        </div>
      )}
    </details>
  )
}

interface FieldTableProps {
  readonly label: string
  readonly schema: JsonSchema
}

/** Rows that are drawn initially, and rows that "Show more fields" adds. */
const maxFirstRows = 100
const maxMoreRows = 500
/** Deeper levels are not indented further. */
const maxIndent = 6

/** The fields of a schema with all their facts. Nested fields open in place; a narrow table is stacked. */
function FieldTable({ label, schema }: FieldTableProps) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [max, setMax] = useState(maxFirstRows)
  const reader = useMemo(() => new FieldReader(schema), [schema])
  const { rows, hasMore } = useMemo(() => reader.read(toggled, max), [reader, toggled, max])
  const toggle = useCallback(
    (key: string, isOpen: boolean) => setToggled(current => new Map(current).set(key, isOpen)),
    [],
  )
  const isNested = rows.some(({ hasParts }) => hasParts)
  return (
    <>
      <RootFacts reader={reader} isEmpty={rows.length === 0} />
      {rows.length > 0 && (
        <table className={styles.table} aria-label={label}>
          <TableHead headings={['Name', 'Type', 'Description']} />
          <tbody>
            {rows.map(({ key, ...row }) => (
              <Row
                key={key}
                id={key}
                {...row}
                isNested={isNested}
                typeText={typeWords(reader.planner, row.node)}
                onToggle={toggle}
              />
            ))}
          </tbody>
        </table>
      )}
      {hasMore && (
        <button type="button" className="link" onClick={() => setMax(max + maxMoreRows)}>
          Show more fields
        </button>
      )}
    </>
  )
}

interface RootFactsProps {
  readonly reader: FieldReader
  readonly isEmpty: boolean
}

/** Facts about the whole value; usually none for an object with fields. */
function RootFacts({ reader: { planner, root }, isEmpty }: RootFactsProps) {
  const isObject = root.kind === 'object'
  return (
    <div className={join(styles.facts, styles.root)}>
      {!isObject && <p className={styles.type}>{typeWords(planner, root)}</p>}
      <Facts node={root} />
      {isObject && isEmpty && <p className="note">The schema names no fields.</p>}
    </div>
  )
}

interface FieldRowProps extends Omit<FieldRow, 'key'> {
  readonly id: FieldRow['key']
  /** The table has rows that open: a name without a button aligns with those. */
  readonly isNested: boolean
  readonly typeText: string
  readonly onToggle: (id: string, isOpen: boolean) => void
}

/** Renders again only if its props change: a table can have thousands of rows. */
const Row = memo(function Row({ id, part, node, depth, hasParts, isOpen, ...props }: FieldRowProps) {
  const { name, isName, required } = part
  const indent = Math.min(depth, maxIndent) * 14 + (props.isNested ? 24 : 0)
  return (
    <tr style={{ '--indent': `${indent}px` } as CSSProperties}>
      <th scope="row">
        {hasParts && (
          <button
            type="button"
            className={join('mini', styles.toggle)}
            aria-expanded={isOpen}
            aria-label={isOpen ? `Collapse ${name}` : `Expand ${name}`}
            onClick={() => props.onToggle(id, !isOpen)}
          >
            {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          </button>
        )}
        <code className={isName ? styles.name : styles.role}>{breakableName(name)}</code>{' '}
        {required && <span className={styles.required}>required</span>}
      </th>
      <td className={styles.type}>{props.typeText}</td>
      <td>
        <Facts node={node} />
      </td>
    </tr>
  )
})

function Facts({ node }: { readonly node: FormNode }) {
  const description = formatDescription(node)
  const limits = describeLimits(node)
  const values = listFixedValues(node)
  const preset = formatDefault(node)
  const examples = listExamples(node)
  return (
    <div className={styles.facts}>
      {description !== '' && <DescriptionText text={description} />}
      {limits.length > 0 && <p className={styles.limits}>{limits.join(' · ')}</p>}
      {values.length > 0 && (
        <FixedValues label={node.kind === 'string' ? 'Suggested' : 'One of'} values={values} />
      )}
      {preset !== undefined && (
        <Fact label="Default">
          <code>{preset}</code>
        </Fact>
      )}
      {examples.length > 0 && (
        <Fact label="Example">
          <code>{examples.join(', ')}</code>
        </Fact>
      )}
      {node.notices.map(notice => (
        <p key={notice} className="note">
          {plainLine(notice)}
        </p>
      ))}
    </div>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <p className={styles.fact}>
      {label} {children}
    </p>
  )
}

/** A longer description is shortened and opens on demand. */
const maxFirstCharacters = 600

/** Plain text: the reference shows exactly what the author wrote. */
function DescriptionText({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > maxFirstCharacters
  return (
    <>
      <p className={styles.text}>{isOpen ? text : shorten(text, maxFirstCharacters)}</p>
      {isLong && (
        <button type="button" className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  )
}

/** More values than the first number open on demand; values beyond the second are not shown. */
const maxFirstValues = 12
const maxValues = 1_000

interface FixedValuesProps {
  readonly label: string
  readonly values: ReturnType<typeof listFixedValues>
}

function FixedValues({ label, values }: FixedValuesProps) {
  const [isOpen, setOpen] = useState(values.length <= maxFirstValues)
  const visible = values.slice(0, isOpen ? maxValues : maxFirstValues)
  return (
    <div className={styles.fact}>
      {label}{' '}
      <ul className={styles.values}>
        {visible.map(({ text, about }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a hostile list may repeat a value, and values never move
          <li key={index}>
            <code>{text}</code> {about}
          </li>
        ))}
      </ul>
      {!isOpen && (
        <button type="button" className="link" onClick={() => setOpen(true)}>
          Show all {values.length.toLocaleString('en')} values
        </button>
      )}
      {isOpen &&
        values.length > maxValues &&
        `… and ${(values.length - maxValues).toLocaleString('en')} more: see the raw schema`}
    </div>
  )
}
