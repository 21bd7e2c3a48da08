import type { ToolAnnotations } from '../../../core/tool/tool.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import styles from './tool-head.module.css'

const note = 'A hint from the source; Toolscope cannot check it.'

function labelsOf(annotations: ToolAnnotations): [string, Tone][] {
  const labels: [string, Tone][] = []
  if (annotations.readOnlyHint === true) labels.push(['read-only', 'ok'])
  else if (annotations.destructiveHint === true) labels.push(['destructive', 'bad'])
  if (annotations.idempotentHint === true) labels.push(['idempotent', 'plain'])
  if (annotations.openWorldHint === true) labels.push(['open world', 'plain'])
  return labels
}

/** A tool's annotations as badges. They are hints from an untrusted party, and said to be. */
export function AnnotationBadges({ annotations }: { readonly annotations: ToolAnnotations | undefined }) {
  const labels = labelsOf(annotations ?? {})
  if (labels.length === 0) return null
  return (
    <>
      {labels.map(([label, tone]) => (
        <Badge key={label} tone={tone} title={note}>
          {label}
        </Badge>
      ))}
      <span className={styles.hints}>{labels.length === 1 ? 'a hint' : 'hints'} from the source</span>
    </>
  )
}
