/** What a load calls: one tool with one input, or saved examples in turns. */
import type { ExampleProblem } from '../../core/api/examples.ts'
import type { PreparedAnswers } from '../../core/example/answers.ts'
import { readExample } from '../../core/example/example.ts'
import { writeJson } from '../../core/json/json-text.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { parseInput } from '../calls/parse-input.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { planExamples } from '../examples/check-examples.ts'
import type { ExampleKeeper } from '../examples/example-keeper.ts'
import { meantInput } from '../examples/run-example.ts'
import { type Allowed, skippedText, skipReason } from '../examples/skip-reason.ts'
import type { CallInput } from '../sources/source.ts'

export interface Target {
  readonly ref: string
  readonly input: CallInput
  readonly answers?: PreparedAnswers
  /** Values of variables in the input, by name. */
  readonly secrets: ReadonlyMap<string, string>
}

export interface Skipped {
  readonly ref: string
  readonly name: string
  readonly message: string
}

interface PlanOptions {
  readonly catalog: Catalog
  readonly keeper: ExampleKeeper
  /** Only this tool's examples. */
  readonly only?: Tool | undefined
  readonly allowed: Allowed
  readonly environment: NodeJS.ProcessEnv
}

/** The examples that can be called, and why each of the others is not. */
export async function planTargets({ allowed, environment, ...options }: PlanOptions): Promise<{
  readonly targets: readonly Target[]
  readonly skipped: readonly Skipped[]
  readonly problems: readonly ExampleProblem[]
}> {
  const { planned, problems } = await planExamples(options)
  const targets: Target[] = []
  const skipped: Skipped[] = []
  for (const { tool, name, text } of planned) {
    const target = targetOf(tool, text, allowed, environment)
    if (typeof target === 'string') skipped.push({ ref: tool.ref, name, message: target })
    else targets.push(target)
  }
  return { targets, skipped, problems }
}

/** In one line why it is not called, where it is not. */
function targetOf(
  tool: Tool,
  text: string,
  allowed: Allowed,
  environment: NodeJS.ProcessEnv,
): Target | string {
  const skipped = skipReason(tool, allowed)
  if (skipped !== undefined) return skippedText(skipped)
  const reading = readExample(text)
  if (!reading.ok) return reading.message
  const { expect } = reading.example
  if (expect !== undefined && 'fails' in expect) return 'it is expected to fail'
  const meant = meantInput(reading.example, environment)
  if (typeof meant === 'string') return meant
  const { input, answers, secrets } = meant
  const isAnswered = Object.keys(answers).length > 0
  return { ref: tool.ref, input: parseInput(writeJson(input)), secrets, ...(isAnswered && { answers }) }
}
