import type { ToolAnnotations } from '../../../core/tool.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const note = 'The source says so; Toolscope cannot check it.'

function labelsOf(annotations: ToolAnnotations): [string, Tone][] {
  const labels: [string, Tone][] = []
  if (annotations.readOnlyHint === true) labels.push(['read-only', 'ok'])
  else if (annotations.destructiveHint === true) labels.push(['destructive', 'bad'])
  if (annotations.idempotentHint === true) labels.push(['idempotent', 'plain'])
  if (annotations.openWorldHint === true) labels.push(['open world', 'plain'])
  return labels
}

/** A tool's annotations as badges. They are hints from an untrusted party, and say so on hover. */
export function AnnotationBadges({ annotations }: { readonly annotations: ToolAnnotations | undefined }) {
  return labelsOf(annotations ?? {}).map(([label, tone]) => (
    <Badge key={label} tone={tone} title={note}>
      {label}
    </Badge>
  ))
}
