import { useState } from 'react'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { join } from '../../ui/join.ts'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import { Segments } from '../../ui/segments.tsx'
import { SchemaTree } from './schema-tree.tsx'
import styles from './schema-view.module.css'

interface SchemaViewProps {
  readonly input: JsonSchema
  readonly output?: JsonSchema | undefined
}

/** What a tool takes and gives: as a tree to read, or as the raw JSON Schema. */
export function SchemaView({ input, output }: SchemaViewProps) {
  const [form, setForm] = useState<'tree' | 'json'>('tree')
  return (
    <div className={styles.view}>
      <Segments legend="Form of the schema" look="apart" choices={forms} value={form} onChange={setForm} />
      <Part name="Input" schema={input} form={form} />
      {output === undefined ? (
        <p className="note">No output schema: what comes back is shown, but cannot be checked.</p>
      ) : (
        <Part name="Output" schema={output} form={form} />
      )}
    </div>
  )
}

const forms = [
  { value: 'tree', label: 'Tree' },
  { value: 'json', label: 'JSON' },
] as const

interface PartProps {
  readonly name: string
  readonly schema: JsonSchema
  readonly form: 'tree' | 'json'
}

function Part({ name, schema, form }: PartProps) {
  return (
    <section aria-label={`${name} schema`}>
      <h2 className={join('note', styles.heading)}>{name}</h2>
      {form === 'json' ? (
        <div className={styles.raw}>
          <JsonEditor label={`${name} schema as JSON`} text={JSON.stringify(schema, null, 2)} readOnly />
        </div>
      ) : (
        <SchemaTree key={name} schema={schema} />
      )}
    </section>
  )
}
