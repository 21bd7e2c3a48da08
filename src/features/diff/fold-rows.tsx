import { Check, ChevronRight, Info, Minus, Plus } from 'lucide-react'
import { isObject } from '../../../core/json/json.ts'
import { summarizeRules } from '../../../core/report/diff-summary.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import styles from './fold-rows.module.css'
import { printValue } from './print-value.ts'
import { type DiffRow, isProved, type ReportSection } from './report-sections.ts'
import { texts } from './texts.ts'
import { Cues, LongText, VisibleText } from './visible-text.tsx'

interface FoldRowProps {
  readonly id: string
  readonly row: Extract<DiffRow, { kind: 'fold' | 'tool' }>
  readonly onToggle: () => void
}

/** The changes of a tool that affect no caller, in one line: `6 compatible, proved: 4 optional properties added, …`. */
export function FoldRow({ id, row: { folded, isOpen }, onToggle }: FoldRowProps) {
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
export function ToolRow({ id, section, isOpen, onToggle, onOpen }: ToolRowProps) {
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
          <code className={styles.name}>
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
              <Button onClick={onOpen}>{texts.openTool}</Button>
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
