import { Filter, SquareSplitHorizontal } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { useDiffPlace, useGoDiff } from './diff-place.ts'
import type { ChangeGroup } from './select-changes.ts'
import styles from './tool-heading.module.css'
import { VisibleText } from './visible-text.tsx'

/** The name above the changes of one tool, with what can be done for the tool as a whole. */
export function ToolHeading({ group }: { readonly group: ChangeGroup }) {
  const { tool, title } = group
  const place = useDiffPlace()
  const go = useGoDiff()
  const open = tool !== undefined && place.schemas === tool
  return (
    <div className={styles.heading}>
      <h2 className={tool === undefined ? styles.plain : styles.name}>
        <VisibleText text={title} />
      </h2>
      {tool !== undefined && (
        <>
          {place.tool !== tool && (
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
