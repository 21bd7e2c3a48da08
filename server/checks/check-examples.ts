/** Runs the examples of a catalog's tools as contract tests. */

import type { StoredExample } from '../../core/api/examples.ts'
import { type ExampleProblem, readExample } from '../../core/checks/example.ts'
import type { CheckedExample, CheckReport } from '../../core/report/check-report.ts'
import { type ConfirmReason, dangerReason } from '../../core/tool/confirm-reason.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { type ExampleKeeper, toExampleKey } from './example-keeper.ts'
import { type ExampleParts, runExample } from './run-example.ts'

interface CheckOptions extends ExampleParts {
  readonly keeper: ExampleKeeper
  /** Runs only this tool's examples. */
  readonly only?: Tool
  readonly allowDestructive: boolean
  readonly concurrency: number
  readonly timeoutMs?: number
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  readonly progress?: (total: number) => ProgressBar
}

interface Planned extends StoredExample {
  readonly tool: Tool
}

/** Returns the results in the order of the catalog, and of the example names within a tool. */
export async function checkExamples(options: CheckOptions): Promise<CheckReport> {
  const { planned, problems } = await planExamples(options)
  const bar = (options.progress ?? (total => progressBar(total, options.environment)))(planned.length)
  const running = new Map<Planned, Set<string>>()
  try {
    const examples = await inParallel(planned, options.concurrency, async one => {
      const meanwhile = new Set<string>()
      for (const [other, others] of running)
        if (other.tool.source === one.tool.source) {
          meanwhile.add(`${other.tool.name} · ${other.name}`)
          others.add(`${one.tool.name} · ${one.name}`)
        }
      running.set(one, meanwhile)
      const checked = await check(one, meanwhile, options)
      running.delete(one)
      bar.step(`${one.tool.ref} · ${one.name}`)
      return checked
    })
    return { examples, problems }
  } finally {
    bar.end()
  }
}

/** Returns the kept examples of a catalog's tools, or of one tool, and the files that could not be read as examples. */
async function planExamples({ catalog, keeper, only }: Pick<CheckOptions, 'catalog' | 'keeper' | 'only'>) {
  const planned: Planned[] = []
  const problems: ExampleProblem[] = []
  const tools = only === undefined ? catalog.tools.list() : [only]
  for (const tool of tools) {
    const listing = await keeper.list(toExampleKey(tool))
    problems.push(...listing.problems)
    for (const example of listing.examples) planned.push({ tool, ...example })
  }
  if (only === undefined) {
    // A source without a list cannot say which tools it lacks.
    const read = catalog.sources.list().filter(({ status }) => status === 'ready' || status === 'degraded')
    const names = read.map(({ name }) => name)
    problems.push(...(await keeper.strays(names, tools.map(toExampleKey))))
  }
  return { planned, problems }
}

async function check(
  { tool, name, text, file }: Planned,
  meanwhile: ReadonlySet<string>,
  options: CheckOptions,
): Promise<CheckedExample> {
  const base = { ref: tool.ref, name, ...(file === undefined ? {} : { file }), differences: [] }
  const skipped = skipReason(tool, { allowDestructive: options.allowDestructive, allowWrites: true })
  if (skipped !== undefined) return { ...base, status: 'skipped', message: skippedText(skipped) }
  const reading = readExample(text)
  if (!reading.ok) return { ...base, status: 'failed', message: reading.message }
  const { timeoutMs, environment, signal } = options
  const run = { tool, example: reading.example, timeoutMs, environment, signal, meanwhile }
  return { ...base, ...(await runExample(run, options)) }
}

/**
 * Runs `work` for every item, at most `limit` at a time. Returns the answers in the order of the items. Rejects with
 * the first failure.
 */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  limit: number,
  act: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = new Array(items.length)
  let next = 0
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) answers[at] = await act(items[at] as Item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return answers
}

/** A line on the terminal with the progress of a long command. Writes nothing if stderr is not a terminal. */
interface ProgressBar {
  /** @param label the step that was done last */
  step(label: string): void
  /** Removes the line. */
  end(): void
}

interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const barWidth = 20

export function progressBar(
  total: number,
  environment: NodeJS.ProcessEnv,
  terminal: OutputStream = process.stderr,
): ProgressBar {
  if (terminal.isTTY !== true) return { step() {}, end() {} }
  const colour = !environment.NO_COLOR
  let done = 0
  return {
    step(label) {
      done += 1
      const full = Math.round((done / total) * barWidth)
      const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
      const room = Math.max(0, (terminal.columns ?? 80) - barWidth - 2)
      const caption = `${done}/${total} ${label}`.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, room)
      terminal.write(`\r\u001b[2K${colour ? `\u001b[36m${bar}\u001b[0m` : bar} ${caption}`)
    },
    end: () => total > 0 && terminal.write('\r\u001b[2K'),
  }
}

export interface Allowed {
  /** Allows every tool: those that need confirmation, and those that write. */
  readonly allowDestructive: boolean
  /** Allows tools that do not declare themselves read-only. */
  readonly allowWrites: boolean
}

/** The ends of sentences that begin with the tool. */
export const confirmReasons: Record<ConfirmReason, string> = {
  rule: 'LLM_MCP_NEED_CONFIRM asks before this tool',
  guard: 'its program asks on a terminal before it continues',
  hint: 'its source calls it destructive',
}

interface Skipped {
  /** One line. */
  readonly message: string
  /** The flag of the command that allows the call; absent if no flag does. */
  readonly flag?: 'allow-writes' | 'allow-destructive'
}

/** Returns undefined if the tool may be called. */
export function skipReason(tool: Tool, { allowDestructive, allowWrites }: Allowed): Skipped | undefined {
  if (!tool.callable) return { message: 'its source gives no way to call it' }
  if (allowDestructive) return undefined
  const reason = dangerReason(tool)
  if (reason !== undefined) return { message: confirmReasons[reason], flag: 'allow-destructive' }
  return allowWrites || tool.annotations?.readOnlyHint === true
    ? undefined
    : { message: 'it does not say that it only reads', flag: 'allow-writes' }
}

/** The message with the flag, for the command line. */
export const skippedText = ({ message, flag }: Skipped) =>
  flag === undefined ? message : `${message} (--${flag} runs it)`
