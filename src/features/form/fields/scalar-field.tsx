import { useRef } from 'react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import type { Json } from '../../../../core/json/json.ts'
import { fromRegistry, useDraftSelector, useDraftValue, useFormScope } from '../form-scope.ts'
import type { ControlProps } from '../theme/control-props.ts'
import { describedBy } from '../theme/templates/field-frame.tsx'
import type { NodeControlProps } from './node-control-props.ts'
import { preview } from './node-menu.ts'

/** A place with one value: the widget for its kind, from RJSF's registry. */
export function ScalarField(props: NodeControlProps) {
  const { node, path, id, issues, described, inPlace } = props
  const { store, registry } = useFormScope()
  const stored = useDraftValue(path)
  const isLeftOut = useDraftSelector(
    draft => draft.secretMarker !== undefined && draft.get(path) === draft.secretMarker,
  )
  const value = isLeftOut ? undefined : stored
  // What emptying the control means: what was last seen there without text, absent or "".
  const emptied = useRef<'' | undefined>(undefined)
  if (stored === '' || stored === undefined) emptied.current = stored
  const change = (next: Json | undefined) => {
    if (next !== undefined) store.set(path, next)
    else if (!inPlace) store.set(path, emptied.current)
    else if (node.kind === 'string' || node.kind === 'number') store.set(path, '')
  }
  const Widget = fromRegistry<ControlProps>(registry.widgets[widgetName(node)])
  return (
    <Widget
      {...props}
      value={value}
      onChange={change}
      placeholder={isLeftOut ? 'secret left out: enter it again' : placeholderOf(node)}
      describedBy={describedBy(id, described, issues)}
      invalid={issues.length > 0}
    />
  )
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
  secret: 'SecretWidget',
  date: 'MomentWidget',
  time: 'MomentWidget',
  'date-time': 'MomentWidget',
  uuid: 'UuidWidget',
  color: 'ColorWidget',
  binary: 'BinaryWidget',
}

/** `3 (default)`, or the author's first example. */
function placeholderOf(node: FormNode): string {
  const { default: preset, examples } = node.schema
  if (preset !== undefined)
    return `${typeof preset === 'string' && preset !== '' ? preset : preview(preset)} (default)`
  if (node.kind === 'enum' || !Array.isArray(examples) || examples.length === 0) return ''
  const [example] = examples
  return `e.g. ${typeof example === 'string' ? example : preview(example)}`
}
