import { jsonEquals } from '../../../../../core/schema/json-text.ts'
import { optionLabel } from '../../../../../core/schema/union-branches.ts'
import type { KindProps } from '../control-props.ts'

/** The only value there is: sent or left out. */
export function ConstWidget({ id, node, value, onChange, describedBy, invalid }: KindProps<'const'>) {
  const strange = value !== undefined && !jsonEquals(value, node.value)
  return (
    <span className="f-const">
      <input
        id={id}
        type="checkbox"
        checked={value !== undefined && !strange}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        onChange={event => onChange(event.target.checked ? node.value : undefined)}
      />
      <code>{optionLabel(node.value)}</code>
      {strange && <span className="f-err">now {JSON.stringify(value)?.slice(0, 60)}</span>}
    </span>
  )
}
