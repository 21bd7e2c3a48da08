/** The catalog behind a server's own tools: its tools are listed and called as if the server listed them itself. */
import type { OwnToolsMode } from '../../core/api/call-settings.ts'
import type { HiddenCatalogPattern } from '../../core/api/hidden-catalog.ts'
import { parseJson } from '../../core/json/json.ts'
import { readJson, writeJson } from '../../core/json/json-text.ts'
import { keepOneCopy } from '../../core/manifest/keep-one.ts'
import { ToolListReader } from '../../core/manifest/read-manifest.ts'
import type { SessionEnding, SessionEvent } from '../../core/tool/invocation.ts'
import type { Callable, Manifest, ManifestProblem, ManifestTool } from '../../core/tool/tool.ts'
import { readNeedPattern } from '../sources/confirm-pattern.ts'
import { type FailureEvent, failure } from '../sources/run-failure.ts'
import type { CallInput } from '../sources/source.ts'
import { turns } from '../workers/run-slices.ts'
import { fillArguments, InexpressibleInput } from './fill-arguments.ts'
import { findPattern } from './known-patterns.ts'
import { type HiddenLimits, readHiddenTools } from './read-hidden-tools.ts'
import { unwrapEnding } from './unwrap-ending.ts'

/** Calls a tool that the server lists itself, and resolves to the ending. */
export type CallListedTool = (
  tool: ManifestTool,
  input: CallInput,
  signal: AbortSignal,
) => Promise<SessionEvent>

interface HiddenCatalogParts {
  readonly mode: OwnToolsMode | undefined
  /** From toolscope.json; takes precedence over the known patterns. */
  readonly pattern: HiddenCatalogPattern | undefined
  /** The variables that hold the confirm rules of the source. */
  readonly environment: NodeJS.ProcessEnv
}

/** The tools that the latest list found, by which they are called. */
interface Unfolded {
  readonly pattern: HiddenCatalogPattern
  readonly listed: ReadonlyMap<string, ManifestTool>
  readonly hidden: ReadonlySet<string>
}

export class HiddenCatalog {
  private readonly parts: HiddenCatalogParts
  private unfolded: Unfolded | undefined

  constructor(parts: HiddenCatalogParts) {
    this.parts = parts
  }

  /** The server's own tool that listed the others; undefined if there are no others. */
  get foundBy(): string | undefined {
    return this.unfolded?.pattern.list.tool
  }

  /**
   * Returns the list with the tools behind it. The server's own tools for this are left out, unless the settings want
   * them or something could not be read: then everything can still be called by them.
   *
   * @param before the previous result: equal tools are shared with it
   */
  async unfold(
    list: Manifest,
    before: Manifest | undefined,
    call: CallListedTool,
    limits: HiddenLimits,
  ): Promise<Manifest> {
    const { mode = 'hidden', pattern: configured } = this.parts
    const pattern = mode === 'only' ? undefined : (configured ?? findPattern(list.tools))
    if (pattern === undefined) return this.replace(list, undefined)
    const listed = new Map(list.tools.map(tool => [tool.name, tool]))
    const own = new Set(listOwnTools(pattern))
    const missing = [...own].find(name => !listed.has(name))
    if (missing !== undefined) {
      const message = `"hiddenCatalog" names the tool ${JSON.stringify(missing)}, which the server does not list.`
      const hint = 'Change "hiddenCatalog" of the source in toolscope.json.'
      return this.replace(withProblems(list, [{ message, hint }]), undefined)
    }
    const asking = await findAskingTool(pattern, this.parts.environment)
    if (asking !== undefined) return this.replace(withProblems(list, [describeAsking(asking)]), undefined)
    const reading = await readHiddenTools(
      pattern,
      async (name, input, signal) => {
        const tool = listed.get(name)
        if (tool === undefined) return failure('not-found', `The server does not list "${name}".`)
        return toEnding(await call(tool, { text: writeJson(input, 0), value: input }, signal))
      },
      limits,
    )
    // A plain shell takes the same input as a ScriptedTool, and its `help` describes no tools.
    if (pattern.list.lines && configured === undefined && reading.described === 0)
      return this.replace(list, undefined)
    const keepOne = keepOneCopy(before?.tools ?? [])
    const reader = new ToolListReader('tools', (tool, at) => keepOne(addCaller(tool, pattern, listed), at))
    const problems: ManifestProblem[] = [...reading.problems]
    const turn = turns()
    for (const entry of reading.entries) {
      reader.add(entry)
      await turn()
    }
    // Positions are those of the server's own list.
    for (const { index: _, ...problem } of reader.problems) problems.push(problem)
    const tools = reader.tools.filter(({ name }) => {
      if (!listed.has(name)) return true
      problems.push({
        name,
        message: `The server itself lists a tool of this name; the one behind "${pattern.list.tool}" is left out.`,
      })
      return false
    })
    const isOwnListed = mode === 'also' || problems.length > 0
    const others = isOwnListed ? list.tools : list.tools.filter(({ name }) => !own.has(name))
    const hidden = new Set(tools.map(({ name }) => name))
    return this.replace(withProblems({ ...list, tools: [...others, ...tools] }, problems), {
      pattern,
      listed,
      hidden,
    })
  }

  /** Calls that run while the list is read again use the list before. */
  private replace(list: Manifest, unfolded: Unfolded | undefined): Manifest {
    this.unfolded = unfolded
    return list
  }

  /**
   * Calls a tool of the list: one behind the server's own tools by these, any other directly.
   *
   * @param call makes the call of a tool that the server lists itself
   */
  async call(
    tool: Callable,
    input: CallInput,
    call: (tool: Callable, input: CallInput) => Promise<SessionEvent>,
    emit: (event: SessionEvent) => void,
  ): Promise<SessionEvent> {
    const wrapped = this.wrap(tool, input)
    if (wrapped === undefined) return call(tool, input)
    if ('refusal' in wrapped) return wrapped.refusal
    const { pattern } = wrapped
    const { ending, stderr = '' } = unwrapEnding(
      toEnding(await call(wrapped.tool, wrapped.input)),
      pattern.output,
    )
    if (stderr !== '') emit({ type: 'stderr', text: stderr })
    return ending
  }

  /** Returns the call of the server's own tool; undefined if the tool is not behind one. */
  private wrap(tool: Callable, input: CallInput) {
    const { unfolded } = this
    if (unfolded === undefined || tool.kind !== undefined || !unfolded.hidden.has(tool.name)) return undefined
    const { pattern, listed } = unfolded
    // The confirm rules were decided for this one, so the latest list must not choose another one.
    const through = tool.calledBy === undefined ? undefined : listed.get(tool.calledBy)
    if (through === undefined) return undefined
    const reading = readJson(input.text)
    if (!reading.ok || reading.value === undefined)
      return { refusal: notCalled(reading.ok ? 'The input is empty.' : `The input is ${reading.message}.`) }
    try {
      const template = pattern.call.arguments ?? { name: '{name}', arguments: '{input}' }
      const text = writeJson(fillArguments(template, { name: tool.name, input: reading.value, tool }), 0)
      return { pattern, tool: through, input: { text, value: parseJson(text) } }
    } catch (thrown) {
      if (thrown instanceof InexpressibleInput) return { refusal: notCalled(thrown.message) }
      throw thrown
    }
  }
}

/**
 * Adds the server's own tool that calls a tool. If the tool has no hint that says whether it only reads or destroys, it is
 * as destructive as the one that calls it.
 */
function addCaller(
  tool: ManifestTool,
  { call }: HiddenCatalogPattern,
  listed: ReadonlyMap<string, ManifestTool>,
): ManifestTool {
  const { annotations } = tool
  const isReadOnly = annotations?.readOnlyHint === true
  const calledBy = (isReadOnly ? call.readOnlyTool : undefined) ?? call.tool
  const isUnmarked = !isReadOnly && annotations?.destructiveHint === undefined
  return isUnmarked && listed.get(calledBy)?.annotations?.destructiveHint === true
    ? { ...tool, annotations: { ...annotations, destructiveHint: true }, calledBy }
    : { ...tool, calledBy }
}

/** Returns the tool that would be called for the list although a rule of the user asks before it. */
async function findAskingTool(
  { list, describe }: HiddenCatalogPattern,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  // The catalog reports an invalid pattern.
  const need = await readNeedPattern(environment, [])
  return [list.tool, describe?.tool].find(name => name !== undefined && need?.(name))
}

const describeAsking = (tool: string): ManifestProblem => ({
  name: tool,
  message: `LLM_MCP_NEED_CONFIRM asks before "${tool}", so it was not called to list the tools behind it.`,
  hint: 'Change the pattern to list them, or set "ownTools" of the source to "only".',
})

const notCalled = (why: string): FailureEvent =>
  failure(
    'spawn',
    `Not called. ${why}`,
    'The tool is called by another tool of its server. Change the input.',
  )

function listOwnTools({ list, describe, call }: HiddenCatalogPattern): string[] {
  return [list.tool, describe?.tool, call.tool, call.readOnlyTool].filter(name => name !== undefined)
}

const withProblems = (list: Manifest, problems: readonly ManifestProblem[]): Manifest => ({
  ...list,
  problems: [...list.problems, ...problems],
})

/** A call of an MCP server resolves to its ending. */
function toEnding(event: SessionEvent): SessionEnding {
  if (event.type === 'result' || event.type === 'failure') return event
  return failure('bad-output', 'The call ended without a result.')
}
