import { ArrowDown, ArrowUp, X } from 'lucide-react'
import type { Path } from '../../../../core/json/pointer.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import styles from '../form.module.css'
import { childPath, useFormScope } from '../form-scope.ts'
import { MiniButton } from './buttons.tsx'
import { NodeField } from './node-field.tsx'

interface ArrayItemProps {
  readonly schema: JsonSchema
  /** Of the list. */
  readonly path: Path
  readonly index: number
  readonly length: number
  readonly holder: string
  readonly depth: number
  readonly folded: boolean
  readonly onRemove: () => void
  readonly onMove: (to: number) => void
  readonly onDuplicate: () => void
}

/** One item with what can be done to it as a whole: move, duplicate, remove. */
export function ArrayItem(props: ArrayItemProps) {
  const { schema, path, index, holder, depth } = props
  const { planner } = useFormScope()
  const { kind } = planner.plan(schema)
  const card = kind === 'object' || kind === 'union' || kind === 'array'
  const name = `${holder} ${index + 1}`
  return (
    <div className={card ? styles.card : styles.line}>
      <NodeField
        schema={schema}
        path={childPath(path, index)}
        label={name}
        required={false}
        inPlace
        depth={depth + 1}
        folded={kind === 'object' && props.folded}
        holderMenu={() => [{ label: 'Duplicate', onSelect: props.onDuplicate }]}
        holderActions={<ItemActions {...props} name={name} />}
      />
    </div>
  )
}

function ItemActions(props: ArrayItemProps & { readonly name: string }) {
  const { index, length, name } = props
  return (
    <>
      <MiniButton
        aria-label={`Move ${name} up`}
        disabled={index === 0}
        onClick={() => props.onMove(index - 1)}
      >
        <ArrowUp size={13} aria-hidden />
      </MiniButton>
      <MiniButton
        aria-label={`Move ${name} down`}
        disabled={index === length - 1}
        onClick={() => props.onMove(index + 1)}
      >
        <ArrowDown size={13} aria-hidden />
      </MiniButton>
      <MiniButton data-remove aria-label={`Remove ${name}`} onClick={props.onRemove}>
        <X size={13} aria-hidden />
      </MiniButton>
    </>
  )
}
