import type { FieldProps } from '@rjsf/utils'
import { useMemo, useRef, useState } from 'react'
import { bestBranch, branchHolds } from '../../../../core/form/branch-match.ts'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { jsonEquals } from '../../../../core/json/equality.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import { join } from '../../../ui/join.ts'
import { Description } from '../../../ui/markdown.tsx'
import styles from '../form.module.css'
import { useDraftSelector, useFormScope } from '../form-scope.ts'
import { switchBranch } from '../switch-branch.ts'
import { Chooser } from './chooser.tsx'
import { type FieldLocation, FieldLocationContext, useFieldLocation } from './field-location.ts'
import { NodeControl } from './node-control.tsx'
import { getNodeStatus, presetText, readNonBlankText, startValue } from './node-status.ts'

/** A choice of branches. The value determines the branch; the user's choice applies while it can hold the value. */
export function UnionField(props: FieldProps) {
  const location = useFieldLocation()
  return location.node.kind === 'union' ? (
    <Union field={props} location={location} node={location.node} />
  ) : null
}

interface UnionProps {
  readonly field: FieldProps
  readonly location: FieldLocation
  readonly node: Extract<FormNode, { kind: 'union' }>
}

function Union({ field, location, node }: UnionProps) {
  const { path, id, label, isItem, readonly } = location
  const { store, planner } = useFormScope()
  const [choice, setChoice] = useState<{ readonly index: number; readonly epoch: number }>()
  /** The branch found by the value's shape. It stays while it can hold the value: an edit must not switch it. */
  const matched = useRef<{ readonly epoch: number; readonly index: number }>(undefined)
  const left = useRef(new Map<number, Json>())
  /** The last switch, which can be reverted exactly until the next edit. */
  const lastSwitch = useRef<Switch>(undefined)
  /** Fixed values distinguish the branches, so an empty value selects none of them. */
  const named = node.branches.some(branch => branch.constants.length > 0)

  const preset = node.schema.default as Json | undefined
  const first = useMemo(
    () => (preset === undefined ? 0 : bestBranch(planner, node.branches, preset)),
    [planner, node, preset],
  )

  /** Index of the shown branch. Because it is a number, typing in a branch does not render the union again. */
  const active = useDraftSelector(draft => {
    const value = draft.get(path)
    const chosen = choice && choice.epoch === draft.epoch ? node.branches[choice.index] : undefined
    if (choice && chosen && (value === undefined || branchHolds(planner, chosen, value))) return choice.index
    if (isUndecided(value) && named) return -1
    // A value entered in the default branch stays in that branch.
    if (value === undefined) matched.current = { epoch: draft.epoch, index: first }
    if (value === undefined) return first
    const found = matched.current
    const stays = found?.epoch === draft.epoch ? node.branches[found.index] : undefined
    if (found && stays && branchHolds(planner, stays, value)) return found.index
    const index = bestBranch(planner, node.branches, value)
    matched.current = { epoch: draft.epoch, index }
    return index
  })
  const branch = node.branches[active]
  const branchNode = branch && planner.plan(branch.schema)
  const status = useDraftSelector(draft =>
    branchNode ? getNodeStatus(branchNode, draft.get(path)) : 'absent',
  )
  /** No branch is chosen, and the control follows the value's own kind. */
  const fitsNone = useDraftSelector(draft => {
    const value = draft.get(path)
    if (value === undefined || !branch || !branchNode) return false
    return getNodeStatus(branchNode, value) === 'misfit' && !branchHolds(planner, branch, value)
  })
  const choose = (index: number) => {
    const to = node.branches[index]
    const from = fitsNone ? -1 : active
    if (!to || index === from) return
    const value = store.get(path)
    if (value !== undefined) left.current.set(from, value)
    setChoice({ index, epoch: store.epoch })
    const last = lastSwitch.current
    const takenBack = last?.from === index && last.epoch === store.epoch && last.after === value
    const switched = switchBranch(planner, value, node.branches[from], to, left.current.get(index))
    const start = isItem ? startValue(planner.plan(to.schema), planner) : undefined
    const next = takenBack ? last.before : (switched ?? start)
    lastSwitch.current = { from, before: value, after: next, epoch: store.epoch }
    store.set(path, next)
  }
  const about = readNonBlankText(branchNode?.schema.description)
  return (
    <div className={join('stack', styles.union)}>
      <Chooser
        attributes={{ id: `${id}-kind`, 'aria-label': `Shape of ${label}` }}
        options={node.branches.map(each => ({ label: each.label }))}
        chosen={fitsNone ? -1 : active}
        disabled={readonly}
        onChoose={choose}
        unset={active < 0 || fitsNone ? `choose one of ${node.branches.length}` : undefined}
        searchHint={`search ${node.branches.length} shapes`}
      />
      {about !== undefined && about !== node.schema.description && (
        <div className="note">
          <Description text={about} />
        </div>
      )}
      {branch && branchNode && (
        <div key={active} data-branch={active} data-node={branchNode.kind}>
          <FieldLocationContext
            value={{
              ...location,
              node: branchNode,
              schema: branch.schema,
              id: `${id}-b${active}`,
              settled: branch.constants,
              // The field's row already shows the default of the union itself.
              preset: jsonEquals(branchNode.schema.default, preset)
                ? undefined
                : presetText(branchNode, planner),
              status,
            }}
          >
            <NodeControl {...field} />
          </FieldLocationContext>
        </div>
      )}
    </div>
  )
}

interface Switch {
  readonly from: number
  readonly before: Json | undefined
  readonly after: Json | undefined
  readonly epoch: number
}

function isUndecided(value: Json | undefined): boolean {
  return value === undefined || (isObject(value) && Object.keys(value).length === 0)
}
