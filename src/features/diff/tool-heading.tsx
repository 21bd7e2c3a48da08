import { ArrowRight, ExternalLink, SquareSplitHorizontal } from 'lucide-react'
import { useMemo } from 'react'
import { severities } from '../../../core/diff/severity.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { JsonDiff } from '../../ui/json-editor/json-diff.tsx'
import { severityLooks } from '../../ui/severity-looks.ts'
import { printValue } from './print-value.ts'
import type { Section } from './sections.ts'
import { texts } from './texts.ts'
import styles from './tool-heading.module.css'
import { VisibleText } from './visible-text.tsx'

interface ToolHeadingProps {
  readonly section: Section
  /** Whether its schemas stand below. */
  readonly isOpen: boolean
  /** Shows or hides the schemas; absent for prompts, resources and what is of no single tool. */
  readonly onSchemas: (() => void) | undefined
  /** Absent where the tool is not open. */
  readonly onOpen: (() => void) | undefined
}

/** The name above the changes of one tool, how many there are, and the actions for the whole tool. */
export function ToolHeading({ section, isOpen, onSchemas, onOpen }: ToolHeadingProps) {
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
              <ExternalLink size={13} aria-hidden /> <span className={styles.word}>{texts.openTool}</span>
            </Button>
          )}
        </span>
      )}
    </div>
  )
}

interface SchemasRowProps {
  readonly name: string
  /** Absent where the side has no such tool. */
  readonly before: ManifestTool | undefined
  readonly after: ManifestTool | undefined
}

/** The raw schemas of one tool side by side, as their manifests have them. */
export function SchemasRow({ name, before, after }: SchemasRowProps) {
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
