import { Filter, SquareSplitHorizontal } from 'lucide-react'
import { useMemo } from 'react'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { JsonDiff } from '../../ui/json-editor/json-diff.tsx'
import { printValue } from './change-card.tsx'
import { useDiffSearch } from './diff-search.ts'
import type { ChangeGroup } from './select-changes.ts'
import styles from './tool-heading.module.css'
import { VisibleText } from './visible-text.tsx'

/** The name above the changes of one tool, with the actions for the whole tool. */
export function ToolHeading({ group }: { readonly group: ChangeGroup }) {
  const { tool, title } = group
  const [search, go] = useDiffSearch()
  const open = tool !== undefined && search.schemas === tool
  return (
    <div className={join('row', styles.heading)}>
      <h2 className={tool === undefined ? styles.plain : styles.name}>
        <VisibleText text={title} />
      </h2>
      {tool !== undefined && (
        <>
          {search.tool !== tool && (
            <Button look="quiet" aria-label={`Show only ${title}`} onClick={() => go({ tool })}>
              <Filter size={13} aria-hidden /> Only this
            </Button>
          )}
          <Button
            look="quiet"
            aria-expanded={open}
            aria-label={`Schemas of ${title}`}
            onClick={() => go({ schemas: open ? undefined : tool }, { replace: true })}
          >
            <SquareSplitHorizontal size={13} aria-hidden /> Schemas
          </Button>
        </>
      )}
    </div>
  )
}

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
