/** What a rule about tools is: it looks at one tool before and after, or at the whole list. */

import type { ManifestTool } from '../../tool/tool.ts'
import type { Change, Direction } from '../change.ts'

/** A change before it is given its severity and fingerprint. */
export interface ToolFinding extends Pick<Change, 'message' | 'path' | 'before' | 'after'> {
  readonly rule: string
  readonly direction: Direction
  /** Words that a model reads, before and after. */
  readonly text?: { readonly before: string; readonly after: string }
}

export interface ToolRule {
  readonly ids: Readonly<Record<string, string>>
  find(before: ManifestTool, after: ManifestTool): readonly ToolFinding[]
}
