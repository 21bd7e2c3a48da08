import { useMemo } from 'react'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { JsonDiff } from '../../ui/json-editor/json-diff.tsx'
import { printValue } from './print-value.ts'
import styles from './schemas-row.module.css'

interface SchemasRowProps {
  readonly name: string
  /** Absent where the side has no such tool. */
  readonly before: ManifestTool | undefined
  readonly after: ManifestTool | undefined
}

/** The raw schemas of one tool side by side, as their manifests have them. */
export function SchemasRow({ name, before, after }: SchemasRowProps) {
  const left = useMemo(() => schemasText(before), [before])
  const right = useMemo(() => schemasText(after), [after])
  return (
    <div className={styles.box}>
      <JsonDiff label={`Schemas of ${name}`} before={left} after={right} />
    </div>
  )
}

function schemasText(tool: ManifestTool | undefined): string {
  if (tool === undefined) return ''
  const { inputSchema, outputSchema } = tool
  return printValue({ inputSchema, ...(outputSchema !== undefined && { outputSchema }) })
}
