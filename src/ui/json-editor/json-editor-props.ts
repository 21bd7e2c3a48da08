import type { Ref } from 'react'
import type { TextPosition } from '../../../core/json/json-text.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'

export interface JsonEditorHandle {
  /** Moves the focus into the editor, to `position` if given. */
  focus(position?: TextPosition): void
}

export interface JsonEditorProps {
  readonly text: string
  /** If absent, the text cannot be edited. */
  readonly onTextChange?: (text: string) => void
  /** Handles ⌘/Ctrl+Enter in the editor, which would otherwise handle the key itself. */
  readonly onSubmit?: () => void
  /** The editor's accessible name. */
  readonly label: string
  /** The schema for completion and markers. */
  readonly schema?: JsonSchema
  readonly readOnly?: boolean
  readonly ref?: Ref<JsonEditorHandle>
}

export interface JsonDiffProps {
  readonly before: string
  readonly after: string
  /** The editors' accessible name. */
  readonly label: string
}

/** Above this number of characters, colouring costs more than it helps. */
export const tooLargeToColour = 1_000_000
