/** Reads the tools behind a server's own tools: page by page, then the description of each. */
import type { HiddenCatalogPattern } from '../../core/api/hidden-catalog.ts'
import { toErrorMessage } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject, jsonText, type UnknownObject } from '../../core/json/json.ts'
import { pointerSegments, valueAt } from '../../core/json/pointer.ts'
import { shortenName } from '../../core/manifest/read-manifest.ts'
import type { SessionEnding } from '../../core/tool/invocation.ts'
import type { ManifestProblem } from '../../core/tool/tool.ts'
import { isTimeLimit, runWithLimit } from '../process/run-with-limit.ts'
import { fillArguments, type TemplateValues } from './fill-arguments.ts'
import { endingValue, unwrapEnding } from './unwrap-ending.ts'

/** Calls one of the server's own tools. Never rejects. */
export type CallOwnTool = (tool: string, input: JsonObject, signal: AbortSignal) => Promise<SessionEnding>

export interface HiddenLimits {
  readonly signal: AbortSignal
  /** Milliseconds for everything; 60 s unless given. */
  readonly maxMs?: number
  /** Tools of the catalog; 5,000 unless given. */
  readonly maxTools?: number
}

export interface HiddenEntries {
  /** Entries in the shape of MCP's `tools/list`. */
  readonly entries: readonly unknown[]
  /** Empty if the whole catalog was read. */
  readonly problems: readonly ManifestProblem[]
  /** The number of tools that were described. */
  readonly described: number
}

/** Descriptions that are requested at the same time. */
const maxRequests = 8
/** After so many failures, the other descriptions are not requested. */
const maxFailures = 20

const defaultFields = {
  name: '/name',
  title: '/title',
  description: '/description',
  inputSchema: '/inputSchema',
  outputSchema: '/outputSchema',
  annotations: '/annotations',
} as const

/** Rejects only if the signal aborts. A part that cannot be read is a problem, and the others are returned. */
export async function readHiddenTools(
  pattern: HiddenCatalogPattern,
  call: CallOwnTool,
  { signal, maxMs = 60_000, maxTools = 5_000 }: HiddenLimits,
): Promise<HiddenEntries> {
  const reading = new CatalogReading(pattern, call, maxTools)
  try {
    await runWithLimit([signal], maxMs, stop => reading.run(stop))
  } catch (thrown) {
    signal.throwIfAborted()
    reading.stop(
      isTimeLimit(thrown)
        ? `The tools behind "${pattern.list.tool}" were not read to their end within ${maxMs / 1000} s.`
        : `The tools behind "${pattern.list.tool}" could not be read: ${toErrorMessage(thrown).slice(0, 300)}`,
    )
  }
  return reading
}

class CatalogReading implements HiddenEntries {
  readonly entries: unknown[] = []
  readonly problems: ManifestProblem[] = []
  described = 0
  private failures = 0
  private isStopped = false
  private readonly names = new Set<string>()
  private readonly pattern: HiddenCatalogPattern
  private readonly call: CallOwnTool
  private readonly maxTools: number
  private readonly fields: Readonly<Record<keyof typeof defaultFields, string>>

  constructor(pattern: HiddenCatalogPattern, call: CallOwnTool, maxTools: number) {
    this.pattern = pattern
    this.call = call
    this.maxTools = maxTools
    this.fields = { ...defaultFields, ...pattern.fields }
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.readPages(signal)
    const waiting = this.entries.keys()
    const describeNext = async () => {
      for (const index of waiting) {
        if (this.isStopped || this.failures >= maxFailures) return
        await this.describe(index, signal)
      }
    }
    await Promise.all(Array.from({ length: maxRequests }, describeNext))
    if (this.failures >= maxFailures)
      this.report(`"${this.pattern.describe?.tool}" failed ${maxFailures} times; it is not called again.`)
  }

  /** Nothing is added afterwards: a list of problems must not change after it was returned. */
  stop(message: string): void {
    this.report(message)
    this.isStopped = true
  }

  private report(message: string, name?: string, hint?: string): void {
    if (this.isStopped) return
    this.problems.push({
      message,
      ...(name === undefined ? {} : { name: shortenName(name) }),
      ...(hint === undefined ? {} : { hint }),
    })
  }

  private async readPages(signal: AbortSignal): Promise<void> {
    const { list } = this.pattern
    const seen = new Set<string | undefined>()
    for (let next: unknown; !this.isStopped; ) {
      // The answer to a call is JSON.
      const values = next === undefined ? {} : { next: next as Json }
      const answer = await this.ask(list.tool, list.arguments ?? {}, values, signal)
      if ('failed' in answer) return this.report(`"${list.tool}" did not list its tools: ${answer.failed}`)
      const found = list.lines ? readLines(answer.value) : at(answer.value, list.entries)
      if (!Array.isArray(found))
        return this.report(`"${list.tool}" answered without a list at "${list.entries ?? ''}".`)
      const before = this.names.size
      if (!this.addAll(found)) return
      seen.add(jsonText(next))
      next = list.next === undefined ? undefined : at(answer.value, list.next)
      if (next === undefined || next === null || next === '') return
      const reason = seen.has(jsonText(next))
        ? 'a page points back to itself'
        : this.names.size === before
          ? 'a page has no new tool, and another one follows'
          : undefined
      if (reason !== undefined) return this.report(`"${list.tool}" was not read to its end: ${reason}.`)
    }
  }

  /** Returns false if the list is too long. */
  private addAll(entries: readonly unknown[]): boolean {
    const { list, describe, call } = this.pattern
    const own = new Set([list.tool, describe?.tool, call.tool, call.readOnlyTool])
    for (const entry of entries) {
      if (this.entries.length >= this.maxTools) {
        this.report(
          `"${list.tool}" lists more than ${this.maxTools.toLocaleString('en')} tools; the others are left out.`,
          undefined,
          'Call them by the server’s own tools.',
        )
        return false
      }
      const name = at(entry, this.fields.name)
      if (typeof name !== 'string') this.entries.push(entry)
      else if (own.has(name)) this.report(`"${list.tool}" lists the server’s own tool; it is left out.`, name)
      else if (this.names.has(name)) this.report(`"${list.tool}" lists the name twice; once is enough.`, name)
      else {
        this.names.add(name)
        this.entries.push(this.toEntry(entry))
      }
    }
    return true
  }

  private async describe(index: number, signal: AbortSignal): Promise<void> {
    const { describe } = this.pattern
    const listed = this.entries[index]
    const name = isObject(listed) ? listed.name : undefined
    if (describe === undefined || typeof name !== 'string' || !isObject(listed)) return
    const answer = await this.ask(describe.tool, describe.arguments ?? { name: '{name}' }, { name }, signal)
    if (this.isStopped) return
    const described = 'failed' in answer ? undefined : at(answer.value, describe.entry)
    const given = at(described, this.fields.name)
    if (isObject(described) && (given === undefined || given === name)) {
      this.described += 1
      this.entries[index] = { ...listed, ...this.toEntry(described), name }
      return
    }
    this.failures += 1
    const found =
      'failed' in answer
        ? `did not describe it: ${answer.failed}`
        : isObject(described)
          ? `describes ${JSON.stringify(shortenName(String(given)))} in its place`
          : 'answered without a description'
    this.report(`"${describe.tool}" ${found}.`, name)
  }

  /** Calls one of the server's own tools, and returns the value of its answer or why there is none. */
  private async ask(
    tool: string,
    template: Readonly<Record<string, unknown>>,
    values: TemplateValues,
    signal: AbortSignal,
  ): Promise<{ readonly value: unknown } | { readonly failed: string }> {
    const ended = await this.call(tool, fillArguments(template, values), signal)
    const { ending } = unwrapEnding(ended, this.pattern.output)
    signal.throwIfAborted()
    return ending.type === 'failure'
      ? { failed: ending.message.slice(0, 300) }
      : { value: endingValue(ending) }
  }

  /** Returns an entry under MCP's names, with its other members unchanged. */
  private toEntry(entry: unknown): UnknownObject {
    const used = new Set(Object.values(this.fields).map(pointer => pointerSegments(pointer)[0]))
    const others = isObject(entry) ? Object.entries(entry).filter(([key]) => !used.has(key)) : []
    const fields = Object.entries(this.fields).map(([key, pointer]) => [key, at(entry, pointer)] as const)
    return Object.fromEntries([...others, ...fields.filter(([, value]) => value !== undefined)])
  }
}

const at = (value: unknown, pointer = ''): unknown => valueAt(value, pointerSegments(pointer))

/**
 * Reads `help --list`: a name, padded to 20 columns, a space and the description. Other lines continue the description
 * before them. If no line has these columns, each line begins with a name.
 */
function readLines(text: unknown): UnknownObject[] | undefined {
  if (typeof text !== 'string') return undefined
  const rows = text.split('\n').flatMap(line => {
    const [name] = /^[A-Za-z_][\w.:-]*(?=\s|$)/.exec(line) ?? []
    return name === undefined ? [] : [{ name, line, isPadded: line.startsWith(`${name.padEnd(20)} `) }]
  })
  const padded = rows.filter(row => row.isPadded)
  return (padded.length > 0 ? padded : rows).map(({ name, line }) => {
    const description = line.slice(name.length).trim()
    return { name, ...(description === '' ? {} : { description }) }
  })
}
