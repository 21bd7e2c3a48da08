import {
  descriptionId,
  errorId,
  type FieldPathList,
  type FieldProps,
  getUiOptions,
  helpId,
  titleId,
  type UiSchema,
} from '@rjsf/utils'
import { memo, useState } from 'react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import type { FormPlanner } from '../../../../core/form/form-schema.ts'
import { hasNoParameters } from '../../../../core/form/object-fields.ts'
import { isSecretAt } from '../../../../core/tool/is-secret.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import styles from '../form.module.css'
import { fieldPathId, useDraftSelector, useFormScope, useIssues } from '../form-scope.ts'
import { Issues, Notices } from './field-frame.tsx'
import { asRjsf, type FieldLocation, FieldLocationContext, type Holder, noUi } from './field-location.ts'
import { NodeControl } from './node-control.tsx'
import { getNodeStatus, presetText, readNonBlankText } from './node-status.ts'

export interface SchemaFieldProps extends FieldProps, Holder {}

/** Does nothing: entry-rows.tsx renames a map's entries. */
const noRename = () => {}

/** RJSF's extension point: a field that renders again only when its own state changes. */
export function SchemaField(props: SchemaFieldProps) {
  return props.fieldPathId.path.length === 0 ? <RootField {...props} /> : <InnerField {...props} />
}

/** A field below the root, with everything around its control. */
const InnerField = memo(function InnerField(props: SchemaFieldProps) {
  const {
    schema,
    uiSchema = noUi,
    registry,
    fieldPathId,
    name,
    required = false,
    depth = 0,
    isItem = false,
  } = props
  const { store, planner, secrets, onChange } = useFormScope()
  const { $id: id, path } = fieldPathId
  const options = getUiOptions(uiSchema)
  const planned = planner.plan(schema)
  const isSecret = planned.kind === 'string' && planned.control === 'text' && isSecretAt(path, secrets)
  const node = isSecret ? { ...planned, control: 'secret' as const } : planned
  const status = useDraftSelector(draft => getNodeStatus(node, draft.get(path)))
  const issues = useIssues(path)
  const [asJson, setAsJson] = useState(false)
  const foldable = node.kind === 'object' && node.properties.length > 0
  const [folded, setFolded] = useState(props.folded ?? (foldable && depth > 3))
  const isOpen = useDraftSelector(draft => !folded || draft.hasIssueBelow(path))
  const mayFold = foldable && status !== 'absent'
  const description = props.column
    ? undefined
    : (readNonBlankText(options.description) ?? readNonBlankText(node.schema.description))
  const help = readNonBlankText(options.help)
  const readonly = props.readonly === true || options.readonly === true || options.disabled === true
  const explained = [
    props.column?.describedBy ?? false,
    description !== undefined && descriptionId(id),
    help !== undefined && helpId(id),
    issues.length > 0 && errorId(id),
  ].filter(each => each !== false)
  const location: FieldLocation = {
    node,
    schema,
    path,
    id,
    labelId: titleId(id),
    label: name,
    required,
    depth,
    status,
    preset: presetText(node, planner),
    asJson,
    onJson: setAsJson,
    isItem,
    readonly,
    describedBy: explained.length > 0 ? explained.join(' ') : undefined,
    holder: props,
    issues,
    ...(mayFold && { fold: { isOpen, onToggle: () => setFolded(isOpen) } }),
  }
  const { FieldTemplate, DescriptionFieldTemplate, FieldHelpTemplate, FieldErrorTemplate } =
    registry.templates
  const base = { schema, uiSchema, registry, fieldPathId }
  const rawErrors = issues.map(issue => issue.message)
  return (
    <FieldLocationContext value={location}>
      <FieldTemplate
        {...base}
        id={id}
        label={props.column ? name : (readNonBlankText(options.title) ?? name)}
        required={required}
        readonly={readonly}
        disabled={false}
        hidden={options.widget === 'hidden'}
        rawErrors={rawErrors}
        {...(issues.length > 0 && { errors: <FieldErrorTemplate {...base} errors={rawErrors} /> })}
        {...(description !== undefined && {
          rawDescription: description,
          description: (
            <DescriptionFieldTemplate {...base} id={descriptionId(id)} description={description} />
          ),
        })}
        {...(help !== undefined && { rawHelp: help, help: <FieldHelpTemplate {...base} help={help} /> })}
        onChange={onChange}
        onKeyRename={noRename}
        onKeyRenameBlur={noRename}
        onRemoveProperty={() => store.set(path, undefined)}
      >
        <NodeControl {...props} />
      </FieldTemplate>
    </FieldLocationContext>
  )
})

/** Returns the root's node. A tool's input is an object, even if the schema says nothing (`{}`, `true`). */
function rootNode(planner: FormPlanner): FormNode {
  const node = planner.plan(planner.root)
  return node.kind === 'any' ? planner.plan(anyObject) : node
}

const anyObject: JsonSchema = { type: 'object' }

/** The whole input. It has no row, because its name is the tool's; its problems are at the top. */
function RootField(props: SchemaFieldProps) {
  const { planner, store, idPrefix } = useFormScope()
  const { path } = props.fieldPathId
  const node = rootNode(planner)
  const issues = useIssues(path)
  const status = useDraftSelector(draft => getNodeStatus(node, draft.get(path)))
  const location: FieldLocation = {
    node,
    schema: planner.root,
    path,
    id: `${idPrefix}-root`,
    labelId: `${idPrefix}-root-label`,
    label: readNonBlankText(node.schema.title) ?? 'the input',
    required: true,
    depth: 0,
    status,
    preset: undefined,
    asJson: false,
    onJson: () => {},
    isItem: false,
    readonly: getUiOptions(props.uiSchema).readonly === true,
    describedBy: undefined,
    holder: {},
    issues,
  }
  return (
    <div className={styles.root} data-path="" data-node={node.kind}>
      <Notices notices={node.notices} />
      <Issues id={idPrefix} issues={issues} subject="The input" />
      {node.kind === 'object' && hasNoParameters(node) && <p className="note">No parameters</p>}
      {status === 'misfit' && (
        <p className="notice small">
          The input is not an object.{' '}
          <button type="button" className="link" onClick={() => store.set(path, undefined)}>
            Start over
          </button>
        </p>
      )}
      <FieldLocationContext value={location}>
        <NodeControl {...props} />
      </FieldLocationContext>
    </div>
  )
}

interface ChildFieldProps extends Holder {
  /** The field of the object or list that contains this one. */
  readonly holder: FieldProps
  readonly schema: JsonSchema
  readonly uiSchema: UiSchema
  readonly path: FieldPathList
  readonly name: string
  readonly required?: boolean
}

/** The field of a part: the registry's SchemaField with RJSF's props. */
export function ChildField({ holder, schema, path, required = false, ...rest }: ChildFieldProps) {
  const { idPrefix, onChange } = useFormScope()
  const { registry, readonly = false, onBlur, onFocus } = holder
  const SchemaField = registry.fields.SchemaField
  if (!SchemaField) throw new Error('The theme has no SchemaField')
  return (
    <SchemaField
      {...rest}
      schema={asRjsf(schema)}
      fieldPathId={fieldPathId(idPrefix, path)}
      required={required}
      readonly={readonly}
      registry={registry}
      onChange={onChange}
      onBlur={onBlur}
      onFocus={onFocus}
    />
  )
}
