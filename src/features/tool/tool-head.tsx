import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useState } from 'react'
import type { ToolDetail } from '../../../core/api/api.ts'
import { confirmReason } from '../../../core/call/confirm-reason.ts'
import { useBackend } from '../../api/backend.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { Badge } from '../../ui/badge.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { AnnotationBadges } from './annotation-badges.tsx'
import { FunctionNotes } from './function-notes.tsx'
import styles from './tool-head.module.css'

/** Descriptions longer than this open on demand: the form is what people came for. */
const longDescription = 420

/** What the tool is: its real name, title, source, hints and description. */
export function ToolHead({ tool }: { readonly tool: ToolDetail }) {
  const go = useWorkbenchNavigate()
  const { history } = useBackend()
  const [open, setOpen] = useState(false)
  const { description = '' } = tool
  const title = tool.title ?? tool.annotations?.title
  const long = description.length > longDescription
  const shown = long && !open ? `${description.slice(0, longDescription).trimEnd()}…` : description
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <h1 className={styles.name} data-testid="tool-title">
          {tool.name}
        </h1>
        {title && title !== tool.name && <span className={styles.title}>{title}</span>}
        <button
          type="button"
          className={styles.source}
          aria-label={`Source ${tool.source}: show it`}
          onClick={() => go({ about: tool.source, tool: undefined, tab: undefined })}
        >
          <Badge>{tool.source}</Badge>
        </button>
        <AnnotationBadges annotations={tool.annotations} />
        {confirmReason(tool) === 'rule' && <Badge tone="warn">asks first</Badge>}
        {!tool.callable && <Badge tone="info">view only</Badge>}
        {history && tool.callable && (
          <Tooltip text="History of this tool">
            <Link
              to="/history"
              search={{ tool: tool.ref }}
              className={styles.history}
              aria-label="History of this tool"
            >
              <History size={14} aria-hidden />
            </Link>
          </Tooltip>
        )}
      </div>
      {description !== '' && (
        <div className={styles.description}>
          <Markdown text={shown} />
          {long && (
            <button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? 'Show less' : 'Show all'}
            </button>
          )}
        </div>
      )}
      <FunctionNotes extra={tool.extra} />
    </header>
  )
}
