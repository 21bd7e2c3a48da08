/** Sends the same inputs to two sources and compares their answers. */
import type { VisiblePair } from '../../core/api/compare.ts'
import { compareAnswers } from '../../core/checks/differences.ts'
import { type ExampleProblem, readExample } from '../../core/checks/example.ts'
import type { Mask } from '../../core/checks/masks.ts'
import { variableMasker } from '../../core/checks/variables.ts'
import { toErrorMessage } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { readJson, writeJson } from '../../core/json/json-text.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { toolMatcher } from '../../core/tool/tool-pattern.ts'
import type { Caller } from '../calls/call.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { eachInvocation } from '../store/invocation-list.ts'
import type { Store } from '../store/store.ts'
import { type Allowed, inParallel, skipReason } from './check-examples.ts'
import { type ExampleKeeper, toExampleKey } from './example-keeper.ts'
import { type MeantInput, meantInput, sendInput } from './run-example.ts'

interface CompareOptions extends Allowed {
  readonly catalog: Catalog
  readonly keeper: ExampleKeeper
  readonly call: Caller
  readonly store: Store
  /** The two sources, by their names in the catalog. */
  readonly sides: readonly [string, string]
  /** Names that examples and calls may be stored under. The first name with examples or calls is used. */
  readonly historySources: readonly string[]
  readonly examples: boolean
  /** How many of the newest different calls to repeat. */
  readonly history: number
  /** Only tools whose name matches this pattern. */
  readonly tool?: string | undefined
  readonly masks: readonly Mask[]
  readonly concurrency: number
  /** Whether the second source receives an input after the first has answered, and not at the same time. */
  readonly isInTurn?: boolean
  /** Milliseconds; the sources' own limits by default. */
  readonly timeoutMs?: number | undefined
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

export interface ComparePlan {
  readonly pairs: readonly PlannedPair[]
  /** Files that are not examples, and folders of tools that neither source has. */
  readonly problems: readonly ExampleProblem[]
}

interface PlannedPair {
  /** The tool's reference within its source. */
  readonly tool: string
  readonly name: string
  /** The input, or the reason why it cannot be sent. */
  readonly meant: MeantInput | string
}

type Tools = ReadonlyMap<string, Tool>

const toolsByKey = (catalog: Catalog, source: string): Tools =>
  new Map(catalog.tools.ofSource(source).map(tool => [toExampleKey(tool).tool, tool]))

/**
 * Returns the inputs to send, in the order of the first source's list: the examples by name, then the calls, newest
 * first. Sends nothing. Rejects with an AppError if the examples or the calls cannot be read.
 */
export async function planComparison(options: CompareOptions): Promise<ComparePlan> {
  const [a, b] = options.sides.map(side => toolsByKey(options.catalog, side)) as [Tools, Tools]
  const matches = options.tool === undefined ? () => true : toolMatcher(options.tool)
  const keys = [...new Map([...a, ...b])].flatMap(([key, tool]) => (matches(tool) ? [key] : []))
  let problems: readonly ExampleProblem[] = []
  for (const source of new Set(options.historySources)) {
    const found = await planSourceInputs(source, keys, options)
    if (found.pairs.length > 0) return found
    problems = [...problems, ...found.problems]
  }
  return { pairs: [], problems }
}

async function planSourceInputs(
  source: string,
  keys: readonly string[],
  options: CompareOptions,
): Promise<ComparePlan> {
  const { keeper, environment, examples, history, tool: onlyTool } = options
  const pairs: PlannedPair[] = []
  const problems: ExampleProblem[] = []
  for (const tool of examples ? keys : []) {
    const listing = await keeper.list({ source, tool })
    problems.push(...listing.problems)
    for (const { name, text } of listing.examples) {
      const reading = readExample(text)
      const meant = reading.ok ? meantInput(reading.example, environment) : reading.message
      pairs.push({ tool, name, meant })
    }
  }
  if (examples && onlyTool === undefined)
    problems.push(
      ...(await keeper.strays(
        [source],
        keys.map(tool => ({ source, tool })),
      )),
    )
  if (history > 0) pairs.push(...(await collectCalls(source, new Set(keys), options)))
  return { pairs, problems }
}

/** Returns the newest calls of a source whose inputs were kept whole, each input once. */
async function collectCalls(source: string, keys: ReadonlySet<string>, { store, history }: CompareOptions) {
  const calls: PlannedPair[] = []
  const seen = new Set<string>()
  for await (const invocation of eachInvocation(store, { source })) {
    const tool = toExampleKey(invocation).tool
    const reading = readJson(invocation.inputText)
    const isWhole = !invocation.inputMasked && !invocation.cut.includes('input') && reading.ok
    if (!isWhole || reading.value === undefined || !keys.has(tool)) continue
    const identity = canonicalJson([tool, reading.value])
    if (seen.has(identity)) continue
    seen.add(identity)
    // Sent unchanged: `${env:NAME}` in the input of a call is ordinary text.
    const meant = { input: reading.value, answers: [], secrets: new Map() }
    calls.push({ tool, name: `call of ${invocation.startedAt}`, meant })
    if (calls.length === history) break
  }
  return calls
}

/** Sends the planned inputs. Never rejects. @param onPair called after each pair */
export function comparePairs(
  { pairs }: ComparePlan,
  options: CompareOptions,
  onPair: (pair: VisiblePair) => void,
): Promise<readonly VisiblePair[]> {
  const [a, b] = options.sides.map(side => toolsByKey(options.catalog, side)) as [Tools, Tools]
  return inParallel(pairs, options.concurrency, async planned => {
    const { tool, name } = planned
    const pair = await comparePair(planned, [a.get(tool), b.get(tool)], options).catch((thrown: unknown) => ({
      ...{ tool, name, differences: [], status: 'failed' as const },
      message: toErrorMessage(thrown),
    }))
    onPair(pair)
    return pair
  })
}

/** Characters of JSON. The report leaves out longer answers. */
const maxAnswerCharacters = 200_000

async function comparePair(
  { tool, name, meant }: PlannedPair,
  tools: readonly [Tool | undefined, Tool | undefined],
  options: CompareOptions,
): Promise<VisiblePair> {
  const base = { tool, name, differences: [] }
  const { sides, call, timeoutMs, signal } = options
  signal.throwIfAborted()
  const [a, b] = tools
  if (a === undefined || b === undefined)
    return { ...base, status: 'failed', message: `${sides[a === undefined ? 0 : 1]} has no such tool` }
  const skipped = skipReason(a, options) ?? skipReason(b, options)
  if (skipped !== undefined) return { ...base, status: 'skipped', ...skipped }
  if (typeof meant === 'string') return { ...base, status: 'failed', message: meant }
  const send = (tool: Tool) => sendInput(meant, { tool, timeoutMs, signal }, call)
  const first = send(a)
  if (options.isInTurn) await first
  const [sentA, sentB] = await Promise.all([first, send(b)])
  const durationsMs = { a: sentA.ending.timing.durationMs, b: sentB.ending.timing.durationMs }
  const unanswered = sentA.unanswered ?? sentB.unanswered
  if (unanswered !== undefined)
    return { ...base, status: 'failed', message: `the server asked a question: ${unanswered}`, durationsMs }
  const compared = compareAnswers(
    [
      { name: sides[0], ending: sentA.ending },
      { name: sides[1], ending: sentB.ending },
    ],
    options.masks.filter(mask => mask.appliesTo(a)),
    variableMasker(meant.secrets),
  )
  const { status, message, differences, more, values } = compared
  const answers = values && { a: writeJson(values[0]), b: writeJson(values[1]) }
  return {
    ...base,
    status,
    message,
    differences: differences.map(({ path, expected, actual }) => ({
      path,
      ...(expected === undefined ? {} : { a: expected }),
      ...(actual === undefined ? {} : { b: actual }),
    })),
    ...(more === undefined ? {} : { more }),
    durationsMs,
    ...(answers && Math.max(answers.a.length, answers.b.length) <= maxAnswerCharacters ? { answers } : {}),
  }
}
