/** The real InputEditor on a bare page, driven by the checks from outside. */
import '../../../src/styles/tokens.css'
import { checkTool } from './check-tool.ts'
import { instancesOf } from './instances.ts'
import { judgeInBrowser } from './judge-in-browser.ts'
import { keystrokeTime } from './keystroke.ts'

const api = { checkTool, instancesOf, keystrokeTime, judgeInBrowser }
export type BenchApi = typeof api

declare global {
  var bench: BenchApi
}
globalThis.bench = api
