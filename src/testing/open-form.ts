import type { UiSchema } from '../../core/form/tool-forms.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { memoryBackend } from './memory-backend.ts'
import { openPage } from './open-page.ts'

let opened = 0

/**
 * Opens the form of a tool with this input schema. The tool is new each time, because the page keeps the text typed
 * into a tool's form. Returns a list to which each call adds its input; the result of a call is its input.
 */
export function openForm(inputSchema: JsonSchema, uiSchema: UiSchema = {}): readonly unknown[] {
  opened += 1
  const name = `form_${opened}`
  const inputs: unknown[] = []
  const answer = (input: unknown) => {
    inputs.push(input)
    return { structuredContent: input }
  }
  const forms = { [name]: uiSchema }
  openPage(memoryBackend({ tools: [{ name, inputSchema }], forms, answer }), `/?tool=desk/${name}`)
  return inputs
}
