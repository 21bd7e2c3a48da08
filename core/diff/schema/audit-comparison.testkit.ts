/** Holds a comparison to what it promises, with values and with validators that know nothing of it. For tests and bench/. */

import { isSubschema } from '../../compat/is-subschema.ts'
import { Budget, defaultProofLimits } from '../../compat/proof-limits.ts'
import { consumerSchema } from '../../schema/caller-schema.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import type { Change } from '../change.ts'
import { diffManifests } from '../diff-manifests.ts'
import { readPair } from './compare-schemas.ts'
import { ask, type ContainmentQuestion, type Mode, modes } from './containment.ts'
import { EditedSchema } from './edited-schema.ts'
import { type Cause, findCauses } from './walk-pair.ts'

/** Whether a schema accepts a value; undefined where no two validators agree. */
export type JudgeOf = (schema: JsonSchema) => (value: unknown) => boolean | undefined

export interface Audit {
  /** Values that break, counted in each mode. */
  breaks: number
  /** Combined changes that the report has. */
  combined: number
  /** Comparisons in a mode that the report leaves undecided: nothing is promised there. */
  undecided: number
  /** Sets of ignored changes under which the run succeeds. */
  passes: number
  readonly faults: string[]
}

const maxWitnesses = 8
const ignoredSets = 8
const maxCauses = 12

/**
 * Two promises. Where all breaking changes are ignored, each value that breaks is refused by the edits of an ignored one. And
 * no change that is part of a smallest set that breaks a value is called proved.
 *
 * @param values tried besides the witnesses of the engine; most need not break
 * @param random from 0 up to 1
 */
export async function auditComparison(
  before: JsonSchema,
  after: JsonSchema,
  direction: 'input' | 'output',
  { values, judgeOf, random }: { values: readonly unknown[]; judgeOf: JudgeOf; random: () => number },
): Promise<Audit> {
  const audit: Audit = { breaks: 0, combined: 0, undecided: 0, passes: 0, faults: [] }
  const budget = new Budget({ ...defaultProofLimits, steps: 50_000_000 })
  const { question, pair } = readPair(before, after, direction, budget)
  if (pair === undefined) return audit
  const causes = findCauses(...pair, direction).filter(cause => cause.edits.length > 0)
  const edited = new EditedSchema(pair, direction)
  for (const mode of modes) {
    const side = (schema: JsonSchema) => ({
      tools: [
        direction === 'input'
          ? { name: 'x', inputSchema: schema }
          : { name: 'x', inputSchema: true, outputSchema: schema },
      ],
    })
    const { changes } = await diffManifests(side(before), side(after), {
      strict: mode === 'strict',
      formats: 'annotation',
    })
    if (changes.some(change => isOpen(change, mode))) {
      audit.undecided += 1
      continue
    }
    audit.combined += changes.filter(change => change.parts).length
    const read = (schema: JsonSchema) =>
      mode === 'declared' && direction === 'output' ? consumerSchema(schema) : schema
    const editsOf = (set: readonly Cause[]) => judgeOf(read(edited.with(set)))
    const failing = breakingValues(question, mode, values, judgeOf, read)
    audit.breaks += failing.length
    auditIgnoring(changes, causes, editsOf, failing, random, audit)
    auditClaims(changes, causes, editsOf, failing, mode, audit)
  }
  return audit
}

/** The report says that it cannot say. */
const isOpen = (change: Change, mode: Mode) =>
  change.rule === 'schema-changed' || change[mode] === 'unknown' || change[mode] === 'invalid'

function breakingValues(
  question: ContainmentQuestion,
  mode: Mode,
  values: readonly unknown[],
  judgeOf: JudgeOf,
  read: (schema: JsonSchema) => JsonSchema,
): unknown[] {
  const inner = question.inner.map(judgeOf)
  const outer = judgeOf(read(question.outer))
  const isSent = (value: unknown) =>
    mode === 'strict' ||
    question.inner.some(
      view => isSubschema(view, { not: { enum: [value] } }, { mode: 'declared' }).verdict === 'refuted',
    )
  const breaks = (value: unknown) =>
    inner.some(accepts => accepts(value) === true) && outer(value) === false && isSent(value)
  const found: unknown[] = []
  while (found.length < maxWitnesses) {
    const answer = ask(question, mode, { orFits: found.length === 0 ? [] : [{ enum: found }] })
    if (answer.verdict !== 'refuted') break
    found.push(answer.witness)
  }
  return [...found, ...values].filter(breaks)
}

type EditsOf = (set: readonly Cause[]) => (value: unknown) => boolean | undefined

function auditIgnoring(
  changes: readonly Change[],
  causes: readonly Cause[],
  editsOf: EditsOf,
  failing: readonly unknown[],
  random: () => number,
  audit: Audit,
): void {
  // Bounds of safe integers are info on purpose: no number that JSON carries exactly breaks them.
  const breaking = changes.filter(
    ({ severity, rule }) => severity === 'breaking' || rule === 'generator-bounds',
  )
  const judges = new Map(breaking.map(change => [change, editsOf(causesOf(change, causes))] as const))
  for (let set = 0; set < ignoredSets; set++) {
    const isSparing = random() < 0.5
    const ignored = breaking.filter(() => !isSparing || random() < 0.7)
    if (ignored.length < breaking.length) continue
    audit.passes += 1
    for (const value of failing) {
      const isExplained = ignored.some(change => judges.get(change)?.(value) !== true)
      if (!isExplained) audit.faults.push(`exit 0, and ${JSON.stringify(value)} breaks`)
    }
  }
}

function auditClaims(
  changes: readonly Change[],
  causes: readonly Cause[],
  editsOf: EditsOf,
  failing: readonly unknown[],
  mode: Mode,
  audit: Audit,
): void {
  if (causes.length > maxCauses) return
  const proved = causes.filter(cause =>
    changes.some(
      change =>
        change[mode] === 'proved' &&
        !change.parts &&
        change.rule === cause.rule &&
        change.path === cause.path &&
        change.message.startsWith(cause.message),
    ),
  )
  if (proved.length === 0) return
  const known = new Map<string, (value: unknown) => boolean | undefined>()
  const single = causes.map(cause => editsOf([cause]))
  for (const value of failing) {
    // Where the validators say nothing of one change, no set can be called smallest.
    if (single.some(judge => judge(value) === undefined)) continue
    for (let size = 1; size <= 3; size++) {
      const sets = [...subsets(causes, size)].filter(set => {
        const key = set.map(cause => causes.indexOf(cause)).join()
        const judge = known.get(key) ?? editsOf(set)
        known.set(key, judge)
        return judge(value) === false
      })
      for (const set of sets)
        for (const cause of set)
          if (proved.includes(cause))
            audit.faults.push(
              `${cause.rule} at ${cause.path} is called proved, and breaks ${JSON.stringify(value)} with ${set.map(each => each.rule).join(', ')}`,
            )
      if (sets.length > 0) break
    }
  }
}

/** The causes that a change is made of: by its own message and those of its parts. */
function causesOf(change: Change, causes: readonly Cause[]): readonly Cause[] {
  const parts = change.parts ?? []
  const isMain = (cause: Cause) =>
    cause.rule === change.rule && cause.path === change.path && change.message.startsWith(cause.message)
  const isPart = ({ rule, path, message, brief = message }: Cause) =>
    parts.some(part => part.rule === rule && part.path === path && part.message === brief)
  return causes.filter(cause => isMain(cause) || isPart(cause))
}

function* subsets<Item>(items: readonly Item[], size: number, from = 0): Generator<readonly Item[]> {
  if (size === 0) yield []
  else
    for (let at = from; at <= items.length - size; at++)
      for (const rest of subsets(items, size - 1, at + 1)) yield [items[at] as Item, ...rest]
}
