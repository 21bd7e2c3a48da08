import {
  ArrowRight,
  Check,
  ChevronRight,
  ExternalLink,
  Info,
  Minus,
  Plus,
  SquareSplitHorizontal,
} from 'lucide-react'
import { memo, useMemo } from 'react'
import type { DiffAnswer } from '../../../core/api/versions.ts'
import { severities } from '../../../core/diff/severity.ts'
import { isObject } from '../../../core/json/json.ts'
import { summarizeRules } from '../../../core/report/diff-summary.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { JsonDiff } from '../../ui/json-editor/json-editor.tsx'
import { severityLooks } from '../../ui/severity-badges.tsx'
import { ChangeItem } from './change-item.tsx'
import { printValue, type SideNames, sideNames } from './change-texts.ts'
import styles from './report.module.css'
import { type DiffRow, isProved, type OpenTool, type ReportSection } from './report-sections.ts'
import { texts } from './texts.ts'
import { Cues, LongText, VisibleText } from './visible-text.tsx'

/** The actions of the rows. The functions are stable, so that rows do not render again because of them. */
export interface RowActions {
  readonly onOpen: OpenTool
  /** Called when a section is folded or unfolded. */
  readonly onFold: (section: ReportSection) => void
  /** Receives the tool whose schemas are shown side by side; undefined closes them. */
  readonly onSchemas: (tool: string | undefined) => void
}

/** The data that all rows of one comparison share. */
interface ComparedTools {
  readonly before: ReadonlyMap<string, ManifestTool>
  readonly after: ReadonlyMap<string, ManifestTool>
  /** The refs of the open tools, by name. */
  readonly refs: ReadonlyMap<string, string>
  readonly names: SideNames
}

export function comparedTools({ a, b }: DiffAnswer): ComparedTools {
  return {
    before: toolsByName(a.side.tools),
    after: toolsByName(b.side.tools),
    refs: new Map(Object.entries(b.refs ?? {})),
    names: sideNames(a.label, b.label),
  }
}

/** If two tools share a name, the first one counts, as in the comparison. */
function toolsByName(tools: readonly ManifestTool[]): ReadonlyMap<string, ManifestTool> {
  return new Map(tools.toReversed().map(tool => [tool.name, tool]))
}

/** Returns the element id of a row that the keys reach. */
export function stopId(stop: number): string {
  return `diff-change-${stop}`
}

interface ReportRowProps extends RowActions {
  readonly row: DiffRow
  readonly compared: ComparedTools
}

/** One row of the report. Scrolling only moves rows: it renders none that is already on screen. */
export const ReportRow = memo(function ReportRow({ row, compared, ...actions }: ReportRowProps) {
  const { section } = row
  const { onOpen, onFold, onSchemas } = actions
  const { tool, renamedFrom } = section
  const before = tool === undefined ? undefined : compared.before.get(renamedFrom ?? tool)
  const after = tool === undefined ? undefined : compared.after.get(tool)
  const toolRef = tool === undefined ? undefined : compared.refs.get(tool)
  const open = toolRef === undefined ? undefined : () => void onOpen(toolRef)
  switch (row.kind) {
    case 'heading':
      return (
        <ToolHeading
          section={section}
          isOpen={row.isOpen}
          onSchemas={after && (() => onSchemas(row.isOpen ? undefined : tool))}
          onOpen={open}
        />
      )
    case 'schemas':
      return <SchemasRow name={section.title} before={before} after={after} />
    case 'fold':
      return <FoldRow id={stopId(row.stop)} row={row} onToggle={() => onFold(section)} />
    case 'tool':
      return (
        <ToolRow
          id={stopId(row.stop)}
          section={section}
          isOpen={row.isOpen}
          onToggle={() => onFold(section)}
          onOpen={open}
        />
      )
    case 'change':
      return (
        <ChangeItem
          id={stopId(row.stop)}
          change={row.change}
          before={before}
          after={after}
          names={compared.names}
          toolRef={toolRef}
          onOpen={onOpen}
        />
      )
  }
})

interface ToolHeadingProps {
  readonly section: ReportSection
  /** Whether its schemas are shown below. */
  readonly isOpen: boolean
  /** Shows or hides the schemas; absent for prompts, resources and changes of several tools. */
  readonly onSchemas: (() => void) | undefined
  /** Absent if the tool is not open. */
  readonly onOpen: (() => void) | undefined
}

/** The heading of a tool's changes: its name, their number, and the actions for the whole tool. */
function ToolHeading({ section, isOpen, onSchemas, onOpen }: ToolHeadingProps) {
  const { tool, title, renamedFrom, changes } = section
  return (
    <div className={styles.heading}>
      <h2 className={join(styles.name, tool === undefined && styles.plain)}>
        {renamedFrom !== undefined && (
          <>
            <span className="muted">
              <VisibleText text={renamedFrom} />
            </span>{' '}
            <ArrowRight size={13} role="img" aria-label="renamed to" />{' '}
          </>
        )}
        <VisibleText text={title} />
      </h2>
      {severities.map(severity => {
        const { length } = changes.filter(change => change.severity === severity)
        const { tone, icon } = severityLooks[severity]
        return (
          length > 0 && (
            <Badge key={severity} tone={tone} icon={icon}>
              {severity === 'warning' ? plural(length, severity) : `${formatCount(length)} ${severity}`}
            </Badge>
          )
        )
      })}
      {onSchemas && (
        <span className={styles.actions}>
          <Button
            look="quiet"
            aria-expanded={isOpen}
            aria-label={`Full schemas of ${title}`}
            onClick={onSchemas}
          >
            <SquareSplitHorizontal size={13} aria-hidden /> <span className={styles.word}>Full schemas</span>
          </Button>
          {onOpen && (
            <Button look="quiet" aria-label={`Open tool ${title}`} onClick={onOpen}>
              <ExternalLink size={13} aria-hidden /> <span className={styles.word}>Open tool</span>
            </Button>
          )}
        </span>
      )}
    </div>
  )
}

interface SchemasRowProps {
  readonly name: string
  /** Absent if the side has no such tool. */
  readonly before: ManifestTool | undefined
  readonly after: ManifestTool | undefined
}

/** The raw schemas of one tool side by side, as in the manifests. */
function SchemasRow({ name, before, after }: SchemasRowProps) {
  const left = useMemo(() => schemasText(before), [before])
  const right = useMemo(() => schemasText(after), [after])
  return (
    <div className={styles.box}>
      <JsonDiff label={`Schemas of ${name}`} before={left} after={right} />
    </div>
  )
}

function schemasText(tool: ManifestTool | undefined): string {
  if (tool === undefined) return ''
  const { inputSchema, outputSchema } = tool
  return printValue({ inputSchema, ...(outputSchema !== undefined && { outputSchema }) })
}

interface FoldRowProps {
  readonly id: string
  readonly row: Extract<DiffRow, { kind: 'fold' | 'tool' }>
  readonly onToggle: () => void
}

/** The changes of a tool that affect no caller, in one line: `6 compatible, proved: 4 optional properties added, …`. */
function FoldRow({ id, row: { folded, isOpen }, onToggle }: FoldRowProps) {
  const proved = folded.filter(isProved)
  const others = folded.filter(change => !proved.includes(change))
  return (
    <button
      id={id}
      type="button"
      className={styles.fold}
      aria-expanded={isOpen}
      data-testid="fold"
      onClick={onToggle}
    >
      <ChevronRight size={13} aria-hidden className={styles.chevron} />
      {proved.length > 0 && (
        <span>
          <Badge tone="ok" icon={Check}>
            {proved.length} compatible, proved
          </Badge>{' '}
          <span className="muted">{summarizeRules(proved)}</span>
        </span>
      )}
      {others.length > 0 && (
        <span>
          <Badge icon={Info}>{others.length} info</Badge>{' '}
          <span className="muted">{summarizeRules(others)}</span>
        </span>
      )}
    </button>
  )
}

interface ToolRowProps {
  readonly id: string
  readonly section: ReportSection
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly onOpen: (() => void) | undefined
}

/** A tool that was added or removed, in one line that unfolds. */
function ToolRow({ id, section, isOpen, onToggle, onOpen }: ToolRowProps) {
  const isAdded = section.kind === 'added'
  const [own] = section.changes.filter(change => change.direction === 'tool')
  const { description, inputSchema, outputSchema } = toFields(own?.after ?? own?.before)
  const about = typeof description === 'string' ? description : ''
  const cues = section.changes.flatMap(change => change.cues ?? [])
  return (
    <section className={styles.tool} aria-label={section.title} data-testid={isAdded ? 'added' : 'removed'}>
      <h2 className={styles.toolHead}>
        <button id={id} type="button" className={styles.fold} aria-expanded={isOpen} onClick={onToggle}>
          <ChevronRight size={13} aria-hidden className={styles.chevron} />
          <code className={styles.toolName}>
            <VisibleText text={section.title} />
          </code>
          <Badge tone={isAdded ? 'ok' : 'bad'} icon={isAdded ? Plus : Minus}>
            {isAdded ? texts.added : texts.removed}
          </Badge>
          <span className={join('muted', styles.about)}>
            <VisibleText text={about.slice(0, 200)} />
          </span>
          <span className={join('faint', styles.fields)}>{fieldCount(inputSchema)}</span>
        </button>
      </h2>
      <Cues label="Cues in its description" cues={cues} />
      {isOpen && (
        <div className={styles.body}>
          <p className="wrapped">
            <LongText text={about} />
          </p>
          <pre className="box">
            <LongText
              text={printValue({ inputSchema, ...(outputSchema !== undefined && { outputSchema }) })}
            />
          </pre>
          {onOpen && (
            <div>
              <Button onClick={onOpen}>Open tool</Button>
            </div>
          )}
        </div>
      )}
    </section>
  )
}

/** Returns the fields of the tool in the change. */
const toFields = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

function fieldCount(schema: unknown): string {
  return plural(Object.keys(toFields(toFields(schema).properties)).length, 'input field')
}
