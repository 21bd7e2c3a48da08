/** What a comparison found, in sentences: the head of the page, of the text report and of the Markdown report. */
import type { Change, DiffReport } from '../change.ts'
import { sectionKinds } from '../sections.ts'
import { severities } from '../severity.ts'

/** The first sentence is the verdict: `2 changes can break callers.` The others say what happened to the tools. */
export function summarySentences(report: DiffReport): readonly [verdict: string, ...more: string[]] {
  const { changes, counts, proved, undecided } = report
  if (changes.length === 0) return ['Nothing changed.']
  return [verdict(counts), ...entrySentences(changes), ...proofSentence(proved, undecided)]
}

/** `6 tools compared · 72 differences: 2 breaking, 0 dangerous, 1 warning, 69 info`; the counts add up. */
export function countsLine({ changes, counts, compared }: DiffReport): string {
  const parts = severities.map(severity =>
    severity === 'warning' ? plural(counts.warning, 'warning') : `${count(counts[severity])} ${severity}`,
  )
  const all = `${plural(compared, 'tool')} compared · ${plural(changes.length, 'difference')}`
  return changes.length === 0 ? all : `${all}: ${parts.join(', ')}`
}

function verdict({ breaking, dangerous, warning }: DiffReport['counts']): string {
  if (breaking > 0) return `${plural(breaking, 'change')} can break callers.`
  const look = dangerous + warning
  return look > 0
    ? `No change breaks callers; ${count(look)} ${look === 1 ? 'needs' : 'need'} a look.`
    : 'No change breaks callers.'
}

/** `1 tool removed, 4 renamed, 8 added, 3 changed. 1 prompt added.` */
function entrySentences(changes: readonly Change[]): string[] {
  const changed = new Set(
    changes.flatMap(({ rule, tool, tools }) => (isOfEntry(rule) ? [] : (tools ?? tool ?? []))),
  )
  const kindOf = (label: string) => sectionKinds.find(kind => label.startsWith(`${kind} `)) ?? 'tool'
  return sectionKinds.flatMap(kind => {
    const sum = (verb: string) =>
      changes
        .filter(change => change.rule === `${kind}-${verb}`)
        .reduce((all, { tools }) => all + (tools?.length ?? 1), 0)
    const parts = [
      [sum('removed'), 'removed'],
      [sum('renamed'), 'renamed'],
      [sum('added'), 'added'],
      [[...changed].filter(label => kindOf(label) === kind).length, 'changed'],
    ] as const
    const [first, ...others] = parts.filter(([amount]) => amount > 0)
    if (first === undefined) return []
    const rest = others.map(([amount, verb]) => `, ${count(amount)} ${verb}`)
    return [`${plural(first[0], kind)} ${first[1]}${rest.join('')}.`]
  })
}

/** Whether a rule is about a tool, prompt, resource or template as such. */
const isOfEntry = (rule: string) => /^(?:tool|prompt|resource|template)-(?:added|removed|renamed)$/.test(rule)

/** `28 schema changes are proved compatible; none is undecided.` */
function proofSentence(proved: number, undecided: number): string[] {
  if (proved + undecided === 0) return []
  const left = undecided === 0 ? 'none' : count(undecided)
  return [
    `${proved === 1 ? '1 schema change is' : `${count(proved)} schema changes are`} proved compatible; ${left} ${undecided > 1 ? 'are' : 'is'} undecided.`,
  ]
}

const count = (value: number) => value.toLocaleString('en')
const plural = (value: number, one: string) => `${count(value)} ${value === 1 ? one : `${one}s`}`
