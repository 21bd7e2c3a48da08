/** The real InputEditor on a bare page, driven by the checks from outside. */
import { instancesOf, issuesInBrowser, verdictsInBrowser } from './inputs.ts'
import '../../../src/ui/tokens.css'
import '../../../src/ui/base.css'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { checkTool, fillByKeyboard, firstRender } from './check-tool.ts'
import { keystrokeTime } from './keystroke.ts'
import { type Mounted, mount } from './mounted.tsx'

let shown: Mounted | undefined

/** Shows one form, in place of the last, with the issues of its input. */
function show(schema: JsonSchema, text: string): void {
  shown?.unmount()
  shown = mount(schema, text, issuesInBrowser(schema, text))
}

const api = { show, checkTool, fillByKeyboard, firstRender, instancesOf, keystrokeTime, verdictsInBrowser }
export type BenchApi = typeof api

declare global {
  var bench: BenchApi
}
globalThis.bench = api
