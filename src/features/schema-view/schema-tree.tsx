import { useMemo } from 'react'
import { createFormPlanner } from '../../../core/form/form-schema.ts'
import { typeLabel } from '../../../core/json-schema/describe.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { partsOf } from './schema-parts.ts'
import { PartList } from './schema-row.tsx'
import styles from './schema-view.module.css'

/** A schema as a tree of names, types and descriptions. References open on demand, so recursion does no harm. */
export function SchemaTree({ schema }: { readonly schema: JsonSchema }) {
  const planner = useMemo(() => createFormPlanner(schema), [schema])
  const root = planner.plan(schema)
  const parts = partsOf(planner, root)
  return (
    <div>
      {typeof root.schema.description === 'string' && (
        <p className={styles.text}>{root.schema.description}</p>
      )}
      {parts.length === 0 && (
        <p className={styles.text}>
          {root.kind === 'object' ? 'An object without named fields.' : typeLabel(schema)}
        </p>
      )}
      <PartList planner={planner} parts={parts} depth={0} />
    </div>
  )
}
