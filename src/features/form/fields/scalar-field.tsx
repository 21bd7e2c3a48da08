import { type EnumOptionsType, type FieldProps, getUiOptions, getWidget, type UiSchema } from '@rjsf/utils'
import { useRef } from 'react'
import type { EnumOption, FormNode } from '../../../../core/form/form-node.ts'
import { optionLabel } from '../../../../core/form/union-branches.ts'
import { isJsonNumber, type Json, numberText } from '../../../../core/json/json.ts'
import { readNumber } from '../../../../core/json/json-text.ts'
import { useDraftSelector, useDraftValue, useFormScope } from '../form-scope.ts'
import { texts } from '../texts.ts'
import { type FieldLocation, noUi, useFieldLocation } from './field-location.ts'
import { preview } from './node-menu.ts'
import { readNonBlankText, showsPreset } from './node-status.ts'

/** A field with one value: the widget for its kind, or the one that the uiSchema names, from RJSF's registry. */
export function ScalarField(props: FieldProps) {
  const location = useFieldLocation()
  const { node, path, isItem, holder } = location
  const { store } = useFormScope()
  const stored = useDraftValue(path)
  const isLeftOut = useDraftSelector(
    draft => draft.secretMarker !== undefined && draft.get(path) === draft.secretMarker,
  )
  const value = isLeftOut ? undefined : stored
  // Emptying the control restores the last state without text: absent or "".
  const emptied = useRef<'' | undefined>(undefined)
  if (stored === '' || stored === undefined) emptied.current = stored
  const change = (given: Json | undefined) => {
    const next = node.kind === 'number' && typeof given === 'string' ? asNumber(given) : given
    if (next !== undefined) store.set(path, next)
    else if (!isItem) store.set(path, emptied.current)
    else if (node.kind === 'string' || node.kind === 'number') store.set(path, '')
  }
  // In a table cell or an entry's line, the placeholder shows “empty text”, because a badge has no room.
  const isEmptyInLine = (holder.column !== undefined || holder.inLine === true) && stored === ''
  const preset = isEmptyInLine
    ? texts.emptyText
    : isLeftOut
      ? 'secret left out: enter it again'
      : pickPlaceholder(location, props.uiSchema)
  return (
    <WidgetOf
      {...props}
      fallback={widgetName(node)}
      value={isJsonNumber(value) && typeof value !== 'number' ? numberText(value) : value}
      onWidgetChange={change}
      options={listFixedOptions(node)}
      preset={preset}
    />
  )
}

interface WidgetOfProps extends FieldProps {
  /** The widget of our theme, if the uiSchema does not name one that fits. */
  readonly fallback: string
  readonly value: unknown
  readonly onWidgetChange: (value: Json | undefined) => void
  readonly options: readonly EnumOption[] | undefined
  /** The placeholder of the empty control. */
  readonly preset?: string
  readonly multiple?: boolean
}

/** A widget with RJSF's `WidgetProps` for the current field. */
export function WidgetOf(props: WidgetOfProps) {
  const { registry, schema, uiSchema = noUi, fallback, preset = '', multiple } = props
  const { id, labelId, label, required, readonly, issues, describedBy } = useFieldLocation()
  const options = getUiOptions(uiSchema)
  const named = namedWidget(props, options.widget)
  const Widget = named ?? registry.widgets[fallback]
  if (!Widget) throw new Error(`The theme has no ${fallback}`)
  return (
    <>
      <Widget
        id={id}
        name={label}
        label={label}
        schema={schema}
        uiSchema={uiSchema}
        registry={registry}
        options={{ ...options, ...(props.options && { enumOptions: props.options.map(asEnumOption) }) }}
        value={props.value}
        onChange={props.onWidgetChange}
        onBlur={props.onBlur}
        onFocus={props.onFocus}
        placeholder={readNonBlankText(options.placeholder) ?? preset}
        required={required}
        readonly={readonly}
        disabled={false}
        rawErrors={issues.map(issue => issue.message)}
        aria-labelledby={labelId}
        aria-describedby={describedBy}
        aria-invalid={issues.length > 0 || undefined}
        {...(multiple && { multiple })}
      />
      {options.widget !== undefined && named === undefined && (
        <p className="notice small">“{String(options.widget)}” is not a widget for this field.</p>
      )}
    </>
  )
}

/** Returns RJSF's `ui:widget` by its name or alias; undefined if none fits the schema. */
function namedWidget({ schema, registry }: FieldProps, name: unknown) {
  if (typeof name !== 'string' || name in Object.prototype) return undefined
  try {
    return getWidget(schema, name, registry.widgets)
  } catch {
    return undefined
  }
}

function asEnumOption({ value, label, description }: EnumOption): EnumOptionsType {
  return { value, label, ...(description !== undefined && { schema: { description } }) }
}

const yesNo: readonly EnumOption[] = [
  { value: true, label: 'true' },
  { value: false, label: 'false' },
]

/** Returns the fixed values of a node; undefined without any. */
function listFixedOptions(node: FormNode): readonly EnumOption[] | undefined {
  switch (node.kind) {
    case 'enum':
      return node.options
    case 'boolean':
      return yesNo
    case 'const':
      return [{ value: node.value, label: optionLabel(node.value) }]
    case 'null':
      return [{ value: null, label: texts.null }]
    default:
      return undefined
  }
}

/** Reads a number. An incomplete one (`-`, `1e`) stays text, which the validator reports. */
function asNumber(text: string): Json | undefined {
  const trimmed = text.trim()
  const plain = trimmed.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')
  return trimmed === '' ? undefined : (readNumber(plain) ?? trimmed)
}

function widgetName(node: FormNode): string {
  switch (node.kind) {
    case 'string':
      return stringWidgets[node.control] ?? 'TextWidget'
    case 'number':
      return 'NumberWidget'
    case 'boolean':
    case 'enum':
      return 'ChoiceWidget'
    default:
      return 'ConstWidget'
  }
}

const stringWidgets: Readonly<Record<string, string>> = {
  secret: 'PasswordWidget',
  date: 'MomentWidget',
  time: 'MomentWidget',
  'date-time': 'MomentWidget',
  uuid: 'UuidWidget',
  color: 'ColorWidget',
  binary: 'BinaryWidget',
}

/** Returns the default or the author's first example; empty if the field's row shows the default. */
function pickPlaceholder(
  { node, preset, holder }: FieldLocation,
  { 'ui:widget': widget }: UiSchema = noUi,
): string {
  if (preset !== undefined) return holder.column || showsPreset(node, widget) ? preset : ''
  const { examples } = node.schema
  if (node.kind === 'enum' || !Array.isArray(examples) || examples.length === 0) return ''
  const [example] = examples
  return `e.g. ${typeof example === 'string' ? example : preview(example)}`
}
