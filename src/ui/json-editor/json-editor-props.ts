import type { Ref } from 'react'
import type { TextPosition } from '../../../core/json/json-text.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'

export interface JsonEditorHandle {
  /** Moves the focus into the editor, to `position` where one is given. */
  focus(position?: TextPosition): void
}

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
  readonly ref?: Ref<JsonEditorHandle>
}

export interface JsonDiffProps {
  readonly before: string
  readonly after: string
  /** Names the editors for those who cannot see them. */
  readonly label: string
}

/** Characters beyond which colouring costs more than it helps. */
export const tooLargeToColour = 1_000_000
