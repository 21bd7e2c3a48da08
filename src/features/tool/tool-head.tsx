import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { confirmReason } from '../../../core/call/confirm-reason.ts'
import { visibleName } from '../../../core/text/plain-text.ts'
import type { ToolAnnotations } from '../../../core/tool/tool.ts'
import { useBackend } from '../../api/backend.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Description } from '../../ui/description.tsx'
import { join } from '../../ui/join.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { FunctionNotes } from './function-notes.tsx'
import styles from './tool-head.module.css'

/** What the tool is: its real name, title, source, hints and description. */
export function ToolHead({ tool }: { readonly tool: ToolDetail }) {
  const go = useWorkbenchNavigate()
  const backend = useBackend()
  const { description = '' } = tool
  const title = tool.title ?? tool.annotations?.title
  return (
    <header className={styles.head}>
      <div className={join('row wrap', styles.line)}>
        <h1 className="name" data-testid="tool-title">
          {visibleName(tool.name)}
        </h1>
        {title && title !== tool.name && <span className="muted">{title}</span>}
        <button
          type="button"
          className="row"
          aria-label={`Source ${tool.source}: show it`}
          onClick={() => go({ about: tool.source, tool: undefined, tab: undefined })}
        >
          <Badge>{tool.source}</Badge>
        </button>
        <AnnotationBadges annotations={tool.annotations} />
        {confirmReason(tool) === 'rule' && <Badge tone="warn">asks first</Badge>}
        {!tool.callable && <Badge tone="info">view only</Badge>}
        {backend.has('GET /api/history') && tool.callable && (
          <Tooltip text="History of this tool">
            <Link
              to="/history"
              search={{ tool: tool.ref }}
              className={join('mini muted', styles.history)}
              aria-label="History of this tool"
            >
              <History size={14} aria-hidden />
            </Link>
          </Tooltip>
        )}
      </div>
      {description !== '' && (
        <div className={join('muted', styles.description)}>
          <Description text={description} lines={5} />
        </div>
      )}
      <FunctionNotes extra={tool.extra} />
    </header>
  )
}

const note = 'A hint from the source; Toolscope cannot check it.'

function labelsOf(annotations: ToolAnnotations): [string, Tone][] {
  const labels: [string, Tone][] = []
  if (annotations.readOnlyHint === true) labels.push(['read-only', 'ok'])
  else if (annotations.destructiveHint === true) labels.push(['destructive', 'bad'])
  if (annotations.idempotentHint === true) labels.push(['idempotent', 'plain'])
  if (annotations.openWorldHint === true) labels.push(['open world', 'plain'])
  return labels
}

/** A tool's annotations as badges. They are hints from an untrusted party, and said to be. */
export function AnnotationBadges({ annotations }: { readonly annotations: ToolAnnotations | undefined }) {
  const labels = labelsOf(annotations ?? {})
  if (labels.length === 0) return null
  return (
    <>
      {labels.map(([label, tone]) => (
        <Badge key={label} tone={tone} title={note}>
          {label}
        </Badge>
      ))}
      <span className="faint small">{labels.length === 1 ? 'a hint' : 'hints'} from the source</span>
    </>
  )
}
