/** `help <tool> --json`: the shape that scripts read with `jq '.input_schema.properties.role.enum'`. */
import type { JsonSchema } from '../tool/tool.ts'
import type { HelpEntry } from './command-name.ts'
import { plainJson } from './plain-text.ts'

/** Keys in alphabetical order; the schema is the source's own, to the letter. */
export interface HelpDocument {
  readonly description: string
  readonly input_schema: JsonSchema
  readonly name: string
}

export function helpDocument({ command, tool }: HelpEntry): HelpDocument {
  return { description: tool.description ?? '', input_schema: tool.inputSchema, name: command }
}

/** Two spaces a level and a line break at the end; safe to print, whatever the source wrote. */
export function helpJson(entry: HelpEntry): string {
  return `${plainJson(helpDocument(entry))}\n`
}
