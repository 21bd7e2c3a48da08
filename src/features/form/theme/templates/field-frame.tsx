import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ValidationIssue } from '../../../../../core/call/invocation.ts'
import type { FormNode } from '../../../../../core/form/form-node.ts'
import { toPointer } from '../../../../../core/json/pointer.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { join } from '../../../../ui/join.ts'
import { MiniButton } from '../../fields/buttons.tsx'
import { FieldMenu, type MenuItem } from '../../fields/field-menu.tsx'
import type { NodeControlProps } from '../../fields/node-control-props.ts'
import { isChoice, nodeLabel, textOf } from '../../fields/node-status.ts'
import styles from '../../form.module.css'

export interface FieldFrameProps {
  readonly control: NodeControlProps
  /** The schema does not know this key. */
  readonly unknown: boolean
  /** The value in words where the control does not show it: `null`, `""`, `{}` … */
  readonly state: string | undefined
  readonly half: boolean
  readonly onClear: (() => void) | undefined
  readonly onNull: ((on: boolean) => void) | undefined
  readonly holderActions: ReactNode
  /** A folded value in a few words. */
  readonly summary: string | undefined
  readonly menu: () => readonly MenuItem[]
  readonly fold: ReactNode
  readonly children: ReactNode
}

/** Groups have several controls of their own. */
const groups = new Set<FormNode['kind']>(['object', 'array', 'union', 'any', 'boolean', 'never'])

/** One field: name and type above, the control, what is wrong with it below. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, labelId, node, path, label, required, status, asJson, described, issues } = props.control
  const title = textOf(node.schema.title)
  const typeLabel = props.unknown ? 'not in the schema' : nodeLabel(node)
  // A group of controls is labelled by its name; a single control has a real label.
  const isGroup =
    asJson || status === 'misfit' || status === 'null' || groups.has(node.kind) || isChoice(node)
  const Label = isGroup ? 'span' : 'label'
  const group = {
    role: 'group',
    'aria-labelledby': labelId,
    'aria-describedby': describedBy(id, described, issues),
  }
  return (
    <div
      className={join('stack', styles.field, props.half && styles.half)}
      data-path={toPointer(path)}
      data-node={asJson ? 'json' : node.kind}
      {...(isGroup && group)}
    >
      <div className={join('row', styles.row)}>
        {props.fold}
        <Label className={styles.label} id={labelId} {...(!isGroup && { htmlFor: id })}>
          {label}
          {required && (
            <span className={styles.required} aria-hidden>
              {' '}
              *
            </span>
          )}
        </Label>
        {title !== undefined && title !== label && <span className="note truncate">{title}</span>}
        {node.schema.deprecated === true && <Badge>deprecated</Badge>}
        {props.state !== undefined && <Badge>{props.state}</Badge>}
        {props.summary !== undefined && <span className="faint mono small truncate">{props.summary}</span>}
        <span className="grow" />
        <span className={join('faint truncate', styles.type)} title={typeLabel}>
          {typeLabel}
        </span>
        <FrameActions {...props} />
      </div>
      {described && <Description id={`${id}-about`} text={String(node.schema.description)} />}
      <Notices notices={node.notices} />
      {props.children}
      <Issues id={id} issues={issues.slice(0, 5)} />
    </div>
  )
}

/** What the plan has to say of a place. */
export function Notices({ notices }: { readonly notices: readonly string[] }) {
  return notices.map(notice => (
    <p key={notice} className="notice small">
      {notice}
    </p>
  ))
}

interface IssuesProps {
  readonly id: string
  readonly issues: readonly ValidationIssue[]
  /** The words before each message. */
  readonly subject?: string
}

/** What is wrong with a place; nothing where nothing is. */
export function Issues({ id, issues, subject = '' }: IssuesProps) {
  if (issues.length === 0) return null
  return (
    <div className={styles.error} id={`${id}-error`}>
      {issues.map(issue => (
        <div key={`${issue.keyword} ${issue.message}`}>
          {subject}
          {issue.message}
        </div>
      ))}
    </div>
  )
}

/** Ids of what explains the control. */
export function describedBy(
  id: string,
  described: boolean,
  issues: readonly ValidationIssue[],
): string | undefined {
  const ids = [described && `${id}-about`, issues.length > 0 && `${id}-error`].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}

function FrameActions({ control, onClear, onNull, menu, holderActions }: FieldFrameProps) {
  const { labelId, status } = control
  const isNull = status === 'null'
  return (
    <span className={join('row', styles.actions)}>
      {onNull && (
        <MiniButton aria-pressed={isNull} aria-describedby={labelId} onClick={() => onNull(!isNull)}>
          null
        </MiniButton>
      )}
      {onClear && (
        <MiniButton aria-label="Leave out" aria-describedby={labelId} title="Leave out" onClick={onClear}>
          <X size={13} aria-hidden />
        </MiniButton>
      )}
      <FieldMenu labelId={labelId} items={menu} />
      {holderActions}
    </span>
  )
}

/** Characters that are shown before the rest opens on demand. */
const maxClosedLength = 220

/** A description as plain text (it is hostile); a long one opens on demand. */
function Description({ id, text }: { readonly id: string; readonly text: string }) {
  const [open, setOpen] = useState(false)
  const long = text.length > maxClosedLength || text.split('\n').length > 3
  return (
    <div className={join('note', styles.description)}>
      <p id={id} className={long && !open ? styles.clamped : undefined}>
        {text}
      </p>
      {long && (
        <button
          type="button"
          className="link"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? 'less' : 'more'}
        </button>
      )}
    </div>
  )
}
