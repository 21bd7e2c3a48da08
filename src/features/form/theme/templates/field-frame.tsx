import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ValidationIssue } from '../../../../../core/call/invocation.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { join } from '../../../../ui/join.ts'
import { FieldMenu, type MenuItem } from '../../fields/field-menu.tsx'
import styles from '../../form.module.css'

export interface FieldFrameProps {
  readonly id: string
  readonly pointer: string
  /** The planned kind, for tests. */
  readonly kind: string
  readonly label: string
  readonly title: string | undefined
  readonly typeLabel: string
  readonly required: boolean
  readonly deprecated: boolean
  /** A group of controls is labelled by its name; a single control has a real label. */
  readonly group: boolean
  readonly description: string | undefined
  readonly notices: readonly string[]
  readonly issues: readonly ValidationIssue[]
  /** The value in words where the control does not show it: `null`, `""`, `{}` … */
  readonly state: string | undefined
  readonly half: boolean
  readonly onClear: (() => void) | undefined
  readonly onNull: ((on: boolean) => void) | undefined
  readonly isNull: boolean
  readonly holderActions: ReactNode
  /** A folded value in a few words. */
  readonly summary: string | undefined
  readonly menu: () => readonly MenuItem[]
  readonly fold: ReactNode
  readonly children: ReactNode
}

/** One field: name and type above, the control, what is wrong with it below. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, title, required, issues, children, group } = props
  const name = (
    <>
      {label}
      {required && (
        <span className={styles.required} aria-hidden>
          {' '}
          *
        </span>
      )}
    </>
  )
  const body = (
    <>
      <div className={styles.row}>
        {props.fold}
        {group ? (
          <span className={styles.label} id={`${id}-label`}>
            {name}
          </span>
        ) : (
          <label className={styles.label} id={`${id}-label`} htmlFor={id}>
            {name}
          </label>
        )}
        {title !== undefined && title !== label && <span className={styles.title}>{title}</span>}
        {props.deprecated && <Badge>deprecated</Badge>}
        {props.state !== undefined && <Badge>{props.state}</Badge>}
        {props.summary !== undefined && <span className={styles.summary}>{props.summary}</span>}
        <span className="grow" />
        <span className={styles.type} title={props.typeLabel}>
          {props.typeLabel}
        </span>
        <FrameActions {...props} />
      </div>
      {props.description !== undefined && <Description id={`${id}-about`} text={props.description} />}
      {props.notices.map(notice => (
        <p key={notice} className={styles.notice}>
          {notice}
        </p>
      ))}
      {children}
      {issues.length > 0 && (
        <div className={styles.error} id={`${id}-error`}>
          {issues.slice(0, 5).map(issue => (
            <div key={`${issue.keyword} ${issue.message}`}>{issue.message}</div>
          ))}
        </div>
      )}
    </>
  )
  const shared = {
    className: join(styles.field, props.half && styles.half),
    'data-path': props.pointer,
    'data-node': props.kind,
  }
  if (!group) return <div {...shared}>{body}</div>
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot hold the row of type and buttons
    <div
      {...shared}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy(id, props.description, issues)}
    >
      {body}
    </div>
  )
}

/** Ids of what explains the control. */
export function describedBy(
  id: string,
  description: string | undefined,
  issues: readonly ValidationIssue[],
): string | undefined {
  const ids = [description !== undefined && `${id}-about`, issues.length > 0 && `${id}-error`].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}

function FrameActions({ id, onClear, onNull, isNull, menu, holderActions }: FieldFrameProps) {
  return (
    <span className={styles.actions}>
      {onNull && (
        <button
          type="button"
          className={styles.mini}
          aria-pressed={isNull}
          aria-describedby={`${id}-label`}
          onClick={() => onNull(!isNull)}
        >
          null
        </button>
      )}
      {onClear && (
        <button
          type="button"
          className={styles.mini}
          aria-label="Leave out"
          aria-describedby={`${id}-label`}
          title="Leave out"
          onClick={onClear}
        >
          <X size={13} aria-hidden />
        </button>
      )}
      <FieldMenu labelId={`${id}-label`} items={menu} />
      {holderActions}
    </span>
  )
}

/** Characters that are shown before the rest opens on demand. */
const maxClosedLength = 220

/** A description as plain text (it is hostile); a long one opens on demand. */
export function Description({ id, text }: { readonly id: string; readonly text: string }) {
  const [open, setOpen] = useState(false)
  const long = text.length > maxClosedLength || text.split('\n').length > 3
  return (
    <div className={styles.description}>
      <p id={id} className={long && !open ? styles.clamped : undefined}>
        {text}
      </p>
      {long && (
        <button
          type="button"
          className={styles.link}
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
