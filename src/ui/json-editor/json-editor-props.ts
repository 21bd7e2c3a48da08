import type { JsonSchema } from '../../../core/tool/tool.ts'

export interface JsonEditorProps {
  readonly text: string
  /** Absent: nothing can be typed. */
  readonly onTextChange?: (text: string) => void
  /** ⌘/Ctrl+Enter inside the editor, which the editor would otherwise keep to itself. */
  readonly onSubmit?: () => void
  /** Names the editor for those who cannot see it. */
  readonly label: string
  /** For completion and marks. */
  readonly schema?: JsonSchema
  readonly readOnly?: boolean
}

export interface JsonDiffProps {
  readonly before: string
  readonly after: string
  /** Names the editors for those who cannot see them. */
  readonly label: string
}

/** Characters beyond which colouring costs more than it helps. */
export const tooLargeToColour = 1_000_000
