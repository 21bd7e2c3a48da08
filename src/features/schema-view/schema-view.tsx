import { useState } from 'react'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import { SchemaTree } from './schema-tree.tsx'
import styles from './schema-view.module.css'

interface SchemaViewProps {
  readonly input: JsonSchema
  readonly output?: JsonSchema | undefined
}

/** What a tool takes and gives: as a tree to read, or as the raw JSON Schema. */
export function SchemaView({ input, output }: SchemaViewProps) {
  const [raw, setRaw] = useState(false)
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <button type="button" aria-pressed={!raw} onClick={() => setRaw(false)}>
          Tree
        </button>
        <button type="button" aria-pressed={raw} onClick={() => setRaw(true)}>
          JSON
        </button>
      </div>
      <Part name="Input" schema={input} raw={raw} />
      {output === undefined ? (
        <p className={styles.text}>No output schema: what comes back is shown, but cannot be checked.</p>
      ) : (
        <Part name="Output" schema={output} raw={raw} />
      )}
    </div>
  )
}

function Part({
  name,
  schema,
  raw,
}: {
  readonly name: string
  readonly schema: JsonSchema
  readonly raw: boolean
}) {
  return (
    <section aria-label={`${name} schema`}>
      <h2 className={styles.heading}>{name}</h2>
      {raw ? (
        <div className={styles.raw}>
          <JsonEditor label={`${name} schema as JSON`} text={JSON.stringify(schema, null, 2)} readOnly />
        </div>
      ) : (
        <SchemaTree key={name} schema={schema} />
      )}
    </section>
  )
}
