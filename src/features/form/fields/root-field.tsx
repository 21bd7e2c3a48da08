import type { FieldProps } from '@rjsf/utils'
import { useMemo } from 'react'
import type { Path } from '../../../../core/json/pointer.ts'
import styles from '../form.module.css'
import { type FormScope, FormScopeContext, useDraftSelector, useFormScope, useIssues } from '../form-scope.ts'
import { Issues, Notices } from '../theme/templates/field-frame.tsx'
import { NodeControl } from './node-control.tsx'
import type { NodeControlProps } from './node-control-props.ts'
import { statusOf, textOf } from './node-status.ts'

const rootPath: Path = []

/** Where RJSF's form hands over to ours: the registry comes in, the draft is read from the store. */
export function RootField({ registry }: FieldProps) {
  const context = registry.formContext as Omit<FormScope, 'registry'>
  const scope = useMemo(() => ({ ...context, registry }), [context, registry])
  return (
    <FormScopeContext value={scope}>
      <Root />
    </FormScopeContext>
  )
}

/** The whole input. Its name is the tool's, so it has no row of its own; its problems stand on top. */
function Root() {
  const { planner, store, idPrefix } = useFormScope()
  const node = planner.plan(planner.root)
  const issues = useIssues(rootPath)
  const status = useDraftSelector(draft => statusOf(node, draft.get(rootPath)))
  const nothingToFill = node.kind === 'object' && node.properties.length === 0 && !node.additionalStated
  const control: NodeControlProps = {
    node,
    schema: planner.root,
    path: rootPath,
    id: `${idPrefix}-root`,
    labelId: `${idPrefix}-root-label`,
    label: textOf(node.schema.title) ?? 'the input',
    required: true,
    depth: 0,
    status,
    asJson: false,
    inPlace: false,
    described: false,
    issues,
  }
  return (
    <div className={styles.root} data-path="" data-node={node.kind}>
      <Notices notices={node.notices} />
      <Issues id={idPrefix} issues={issues} subject="The input " />
      {nothingToFill && <p className="note">This tool takes no input.</p>}
      {status === 'misfit' && (
        <p className="notice small">
          The input is no object.{' '}
          <button type="button" className="link" onClick={() => store.set(rootPath, undefined)}>
            Start over
          </button>
        </p>
      )}
      <NodeControl {...control} />
    </div>
  )
}
