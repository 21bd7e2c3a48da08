/** Renders every face of one tool's help and looks at what came out. */

import { isObject } from '../../core/json/json.ts'
import { withSortedKeys } from '../../core/json/sort-keys.ts'
import { helpJson, listLine, toolHelp } from '../../core/prompt/help-formats.ts'
import type { ToolCommand } from '../../core/prompt/tool-commands.ts'
import { plainLine } from '../../core/text/plain-text.ts'

export interface Checked {
  readonly command: string
  readonly ref: string
  /** Of the processor: what an idle core would need. */
  readonly milliseconds: number
  /** What is wrong, in words; empty where all is well. */
  readonly faults: readonly string[]
}

export function checkEntry(entry: ToolCommand): Checked {
  const { command, tool } = entry
  const started = process.cpuUsage()
  const faults: string[] = []
  const render = (what: string, make: () => string) => {
    try {
      const text = make()
      if (/(?!\n)\p{Cc}/u.test(text)) faults.push(`${what} holds a control character`)
      return text
    } catch (thrown) {
      faults.push(`${what} throws: ${thrown}`)
      return ''
    }
  }
  const help = render('help', () => toolHelp(entry))
  const line = render('the list', () => listLine(entry))
  const json = render('JSON', () => helpJson(entry))
  const { user, system } = process.cpuUsage(started)
  const milliseconds = (user + system) / 1000
  if (!line.startsWith(command) || !line.endsWith('\n')) faults.push('the list has no line')
  if (
    faults.length === 0 &&
    JSON.stringify(JSON.parse(json).input_schema) !== JSON.stringify(withSortedKeys(tool.inputSchema))
  )
    faults.push('JSON changes the schema')
  for (const name of declaredNames(tool.inputSchema)) {
    if (!help.includes(`--${plainLine(name)} <`)) faults.push(`help does not name ${name}`)
  }
  return { command, ref: tool.ref, milliseconds, faults }
}

function declaredNames(schema: unknown): string[] {
  return isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : []
}
