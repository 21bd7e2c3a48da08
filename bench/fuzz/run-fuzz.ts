/** Sends changed manifests and results through the program's steps and collects the faults. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseManifestText } from '../../core/manifest/read-manifest.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { pseudoRandom } from '../../core/validation/random.ts'
import { mutate, mutateText, resultSteps, type Step, stepsOf } from './steps.ts'

export interface FuzzSource {
  readonly name: string
  readonly text: string
}

/** @param folder of manifests; without it the repository's own */
export function readSources(folder: string | undefined): FuzzSource[] {
  if (folder === undefined) return ownSources()
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  return files.map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

function ownSources(): FuzzSource[] {
  const acme = execFileSync(process.execPath, ['examples/acme/acme.mjs', '--llms'], { encoding: 'utf8' })
  return [
    { name: 'acme', text: acme },
    ...['bench/forms/constructs.json', 'examples/functions/functions.json'].map(name => ({
      name,
      text: readFileSync(name, 'utf8'),
    })),
  ]
}

/** Milliseconds of processor time for one step. */
const maxStepMs = 1_000
const maxTools = 5

export interface Fault {
  readonly case: number
  readonly source: string
  readonly step: string
  readonly what: string
}

export interface FuzzReport {
  readonly cases: number
  readonly steps: number
  /** Processor time of the slowest step, and its name. */
  readonly slowest: { readonly ms: number; readonly step: string; readonly case: number }
  readonly faults: readonly Fault[]
}

/**
 * The result is the same for the same sources, count and seed.
 *
 * @param begin called before each case; a case that hangs is the last one
 */
export async function fuzz(
  sources: readonly FuzzSource[],
  count: number,
  seed: number,
  begin: (index: number) => void = () => {},
  only?: number,
): Promise<FuzzReport> {
  const manifests = sources.map(source => ({ ...source, ...opened(source.text) }))
  const faults: Fault[] = []
  let slowest = { ms: 0, step: '', case: 0 }
  let steps = 0
  for (let index = only ?? 0; index < (only === undefined ? count : only + 1); index++) {
    begin(index)
    const random = pseudoRandom(seed * 1_000_003 + index)
    const source = manifests[Math.floor(random() * manifests.length)]
    if (source === undefined) break
    const fault = (step: string, what: string) =>
      faults.push({ case: index, source: source.name, step, what })
    let last = 'start'
    let start = process.cpuUsage()
    const take = ({ name, printed, own }: Step) => {
      const { user, system } = process.cpuUsage(start)
      const ms = (user + system) / 1_000
      steps += 1
      last = name
      if (ms > slowest.ms) slowest = { ms, step: name, case: index }
      if (ms > maxStepMs) fault(name, `took ${Math.round(ms)} ms`)
      const sign = unescaped(printed, own !== undefined)
      if (sign !== undefined) fault(name, `printed ${JSON.stringify(sign)}`)
      start = process.cpuUsage()
    }
    try {
      const part = chosenPart(source.json, random)
      const before = source.manifest
      const changed = mutate(part, random)
      const text = toText(changed)
      if (text !== undefined) {
        start = process.cpuUsage()
        for await (const step of stepsOf(random() < 0.2 ? mutateText(text, random) : text, before, index))
          take(step)
      }
      const schema = before.tools[0]?.outputSchema ?? before.tools[0]?.inputSchema
      const answer = {
        content: [{ type: 'text', text: 'x' }],
        structuredContent: { a: [1, { b: null }] },
        isError: false,
      }
      start = process.cpuUsage()
      for (const step of resultSteps(mutate(answer, random), schema)) take(step)
    } catch (thrown) {
      fault(
        `after ${last}`,
        `threw ${thrown instanceof Error ? thrown.stack?.split('\n').slice(0, 4).join(' | ') : thrown}`,
      )
    }
  }
  return { cases: only === undefined ? count : 1, steps, slowest, faults }
}

function opened(text: string): { readonly manifest: Manifest; readonly json: unknown } {
  return { manifest: parseManifestText(text), json: JSON.parse(text) }
}

/** Returns only a few of the tools, because each step runs for every tool. */
function chosenPart(json: unknown, random: () => number): unknown {
  const list = Array.isArray(json) ? json : (json as { readonly tools?: unknown }).tools
  if (!Array.isArray(list)) return json
  const from = Math.floor(random() * Math.max(1, list.length - maxTools))
  const some = list.slice(from, from + maxTools)
  return Array.isArray(json) ? some : { ...(json as object), tools: some }
}

/** Returns undefined if the value is nested too deep for JSON.stringify: a program writes it in other ways. */
function toText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined
    throw thrown
  }
}

/** Returns the first character in a printed text that controls a terminal, or the first command for a CI system. */
function unescaped(text: string, hasCommands: boolean): string | undefined {
  const steering = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|##\w*\[/u.exec(text)
  if (steering) return steering[0]
  return hasCommands ? undefined : /^[^\S\n]*::.{0,40}/m.exec(text)?.[0]
}
