import {
  type DescriptionFieldProps,
  errorId,
  type FieldErrorProps,
  type FieldHelpProps,
  type FieldTemplateProps,
  helpId,
} from '@rjsf/utils'
import { ChevronDown, ChevronRight, X } from 'lucide-react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { toPointer } from '../../../../core/json/pointer.ts'
import type { ValidationIssue } from '../../../../core/tool/invocation.ts'
import { fieldMessage } from '../../../../core/validation/read-issues.ts'
import { Badge } from '../../../ui/badge.tsx'
import { breakableName } from '../../../ui/breakable-name.tsx'
import { join } from '../../../ui/join.ts'
import { Description } from '../../../ui/markdown.tsx'
import styles from '../form.module.css'
import { useFormScope } from '../form-scope.ts'
import { texts } from '../texts.ts'
import { FieldMenu, MiniButton } from './buttons.tsx'
import { type FieldLocation, useFieldLocation } from './field-location.ts'
import { nodeMenu, preview } from './node-menu.ts'
import {
  describeNodeState,
  isChoice,
  nodeLabel,
  readNonBlankText,
  showsPreset,
  startValue,
} from './node-status.ts'

/** Kinds with several controls of their own. */
const groups = new Set<FormNode['kind']>(['object', 'array', 'union', 'any', 'boolean', 'never'])

/** The frame of a field: name and type above its control, problems below. */
export function FieldFrame(props: FieldTemplateProps) {
  const { id, label, required, hidden, uiSchema, description, errors, help, children } = props
  const location = useFieldLocation()
  const { store } = useFormScope()
  const { node, path, labelId, status, asJson, fold, holder } = location
  const title = label === location.label ? readNonBlankText(node.schema.title) : location.label
  const typeLabel = holder.unknown ? texts.notInTheSchema : nodeLabel(node)
  // A slider has a position even without a value.
  const isUnsetSlider = status === 'absent' && uiSchema?.['ui:widget'] === 'range'
  const preset =
    status === 'absent' && !showsPreset(node, uiSchema?.['ui:widget']) ? location.preset : undefined
  const value = store.get(path)
  // In a line, the control itself shows that it is empty.
  const saysEmpty = holder.column !== undefined || (holder.inLine === true && value === '')
  const state = isUnsetSlider ? texts.notSet : describeNodeState(node, status, value)
  // A group of controls is labelled by its name; a single control has a label element.
  const isGroup =
    asJson ||
    status === 'misfit' ||
    status === 'null' ||
    groups.has(node.kind) ||
    isChoice(node) ||
    /radio|checkboxes/i.test(String(uiSchema?.['ui:widget']))
  const Label = isGroup ? 'span' : 'label'
  const head = (
    <>
      <div className={join('row', styles.row)}>
        {fold && (
          <MiniButton
            aria-expanded={fold.isOpen}
            aria-label={`${fold.isOpen ? 'Collapse' : 'Expand'} ${label}`}
            onClick={fold.onToggle}
          >
            {fold.isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          </MiniButton>
        )}
        <Label className={styles.label} id={labelId} title={label} {...(!isGroup && { htmlFor: id })}>
          {breakableName(label)}
          {required && (
            <span className={styles.required} aria-hidden>
              {' '}
              *
            </span>
          )}
        </Label>
        {title !== undefined && title !== label && <span className="note truncate">{title}</span>}
        {node.schema.deprecated === true && !holder.column && <Badge>{texts.deprecated}</Badge>}
        {preset !== undefined && !holder.column && (
          <span className={join('note truncate', styles.preset)} title={preview(node.schema.default, 1000)}>
            {preset}
          </span>
        )}
        {preset === undefined && state !== undefined && !saysEmpty && <Badge>{state}</Badge>}
        {fold?.isOpen === false && <span className="faint mono small truncate">{preview(value)}</span>}
        <span className={join('faint truncate', styles.type)} title={typeLabel}>
          {typeLabel}
        </span>
        {!location.readonly && <FrameActions location={location} />}
      </div>
      {description}
      {node.notices.length > 0 && <Notices notices={node.notices} />}
    </>
  )
  const group = { role: 'group', 'aria-labelledby': labelId, 'aria-describedby': location.describedBy }
  return (
    <div
      className={join('stack', styles.field, holder.half && status !== 'misfit' && !asJson && styles.half)}
      hidden={hidden}
      data-path={toPointer(path)}
      data-node={asJson ? 'json' : node.kind}
      {...(isGroup && group)}
    >
      {!holder.inLine && head}
      {children}
      {help}
      {errors}
      {holder.inLine && head}
    </div>
  )
}

/** The planner's notices about a field. */
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
  /** The text before each message. */
  readonly subject?: string
}

const maxDetails = 5

/** The problems of a field in one sentence, with details on demand; renders nothing without problems. */
export function Issues({ id, issues, subject }: IssuesProps) {
  const found = fieldMessage(issues, subject)
  if (found === undefined) return null
  return (
    <div className={styles.error}>
      <span id={errorId(id)}>{found.message}</span>
      {found.details.length > 0 && (
        <details>
          <summary>Details</summary>
          {found.details.slice(0, maxDetails).map(line => (
            <div key={line}>{line}</div>
          ))}
        </details>
      )}
    </div>
  )
}

/** The problems of a field, below its control. */
export function FieldErrors({ fieldPathId }: FieldErrorProps) {
  return <Issues id={fieldPathId.$id} issues={useFieldLocation().issues} />
}

/** The uiSchema's help text, below the control. */
export function FieldHelp({ fieldPathId, help }: FieldHelpProps) {
  return (
    <div className="note" id={helpId(fieldPathId.$id)}>
      {help}
    </div>
  )
}

function FrameActions({ location }: { readonly location: FieldLocation }) {
  const { labelId, node, schema, path, status, asJson, onJson, isItem, holder } = location
  const { store, planner } = useFormScope()
  const isNull = status === 'null'
  const setNull = () => store.set(path, isNull ? (isItem ? startValue(node, planner) : undefined) : null)
  return (
    <span className={join('row', styles.actions)}>
      {node.nullable && !holder.column && (
        <MiniButton aria-pressed={isNull} aria-describedby={labelId} onClick={setNull}>
          {texts.null}
        </MiniButton>
      )}
      {status !== 'absent' && !holder.holderActions && !holder.column && (
        <MiniButton
          aria-label={texts.clear}
          aria-describedby={labelId}
          title={texts.clear}
          onClick={() => store.set(path, undefined)}
        >
          <X size={13} aria-hidden />
        </MiniButton>
      )}
      {holder.holderActions}
      <FieldMenu
        labelId={labelId}
        // A cell that shows null has no other control.
        isTabStop={!holder.column || isNull}
        items={() => [
          ...(holder.holderMenu?.() ?? []),
          ...nodeMenu(store, planner, node, schema, path, { asJson, onJson }),
        ]}
      />
    </span>
  )
}

/** The description from the schema. */
export function FieldDescription({ id, description }: DescriptionFieldProps) {
  return (
    <div className={join('note', styles.description)}>
      <Description id={id} text={String(description)} />
    </div>
  )
}
