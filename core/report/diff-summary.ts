/** Summarises a comparison in sentences: the head of the page, of the text report and of the Markdown report. */

import type { Change, DiffReport } from '../diff/change.ts'
import { severities } from '../diff/severity.ts'
import { sectionKinds } from '../diff/surface-sections.ts'
import { pointerSegments } from '../json/pointer.ts'
import { groupBy } from '../lists.ts'

/**
 * Returns the summary. The first sentence says whether a client with the old list still works; the others, what
 * happened to the tools and what was checked.
 */
export function summarySentences(report: DiffReport): readonly [verdict: string, ...more: string[]] {
  const { changes, ignored, switchedOff, proved, undecided } = report
  const isHidden = ignored.length > 0 || Object.keys(switchedOff).length > 0
  if (changes.length === 0) return [isHidden ? hiddenSentence(report) : 'Nothing changed.']
  return [verdict(report), ...entrySentences(changes), ...proofSentence(proved, undecided)]
}

function hiddenSentence({ ignored }: DiffReport): string {
  const breaks = ignored.filter(change => change.severity === 'breaking').length
  return breaks === 0
    ? 'Your rules hide every change.'
    : `Your rules hide every change; you accepted ${plural(breaks, 'breaking change')}.`
}

/** Returns `6 tools compared · 72 differences: 2 breaking, 0 dangerous, 1 warning, 69 info`; the counts add up. */
export function countsLine({ changes, counts, compared, ignored, switchedOff }: DiffReport): string {
  const parts = severities.map(severity =>
    severity === 'warning' ? plural(counts.warning, 'warning') : `${count(counts[severity])} ${severity}`,
  )
  const all = `${plural(compared, 'tool')} compared · ${plural(changes.length, 'difference')}`
  const off = Object.values(switchedOff).reduce((sum, each) => sum + each, 0)
  const more = [
    ignored.length === 0 ? '' : ` · ${count(ignored.length)} ignored`,
    off === 0 ? '' : ` · ${count(off)} switched off by rules`,
  ].join('')
  return changes.length === 0 ? all + more : `${all}: ${parts.join(', ')}${more}`
}

function verdict(report: DiffReport): string {
  const { counts, ignored, undecided, switchedOff, lowered } = report
  const { breaking, dangerous, warning } = counts
  const accepted = ignored.filter(change => change.severity === 'breaking').length
  const also =
    accepted === 0 ? '' : ` ${plural(accepted, 'break')} that you accepted ${isAre(accepted)} not counted.`
  if (breaking > 0)
    return `A client that froze the old list may no longer work: ${plural(breaking, 'breaking change')}.${also}`
  const look = dangerous + warning
  const needs = look === 0 ? '' : `; ${plural(look, 'change')} ${look === 1 ? 'needs' : 'need'} a look`
  // A team's rules may lower or switch off a break.
  const isByRules = lowered > 0 || Object.keys(switchedOff).length > 0
  const start = undecided > 0 ? 'No break was found for a' : 'A'
  const undone = isByRules ? `By your rules: ${start.slice(0, 1).toLowerCase()}${start.slice(1)}` : start
  const works = undecided > 0 ? '' : ' still works'
  return `${undone} client that froze the old list${works}${needs}.${also}`
}

/** Returns `1 tool removed, 4 renamed, 8 added, 3 changed. 1 prompt added.` */
function entrySentences(changes: readonly Change[]): string[] {
  const changed = new Set(
    changes.flatMap(({ rule, tool, tools }) => (isOfEntry(rule) ? [] : (tools ?? tool ?? []))),
  )
  const readSectionKind = (label: string) => sectionKinds.find(kind => label.startsWith(`${kind} `)) ?? 'tool'
  return sectionKinds.flatMap(kind => {
    const sum = (verb: string) =>
      changes
        .filter(change => change.rule === `${kind}-${verb}`)
        .reduce((all, { tools }) => all + (tools?.length ?? 1), 0)
    const parts = [
      [sum('removed'), 'removed'],
      [sum('renamed'), 'renamed'],
      [sum('added'), 'added'],
      [[...changed].filter(label => readSectionKind(label) === kind).length, 'changed'],
    ] as const
    const [first, ...others] = parts.filter(([amount]) => amount > 0)
    if (first === undefined) return []
    const rest = others.map(([amount, verb]) => `, ${count(amount)} ${verb}`)
    return [`${plural(first[0], kind)} ${first[1]}${rest.join('')}.`]
  })
}

/** Whether a rule is about a whole tool, prompt, resource or template. */
const isOfEntry = (rule: string) => /^(?:tool|prompt|resource|template)-(?:added|removed|renamed)$/.test(rule)

/** Returns `28 schema changes are proved compatible.` */
function proofSentence(proved: number, undecided: number): string[] {
  const sentences = [
    ...(proved === 0 ? [] : [`${plural(proved, 'schema change')} ${isAre(proved)} proved compatible.`]),
    ...(undecided === 0 ? [] : [`${plural(undecided, 'schema change')} ${isAre(undecided)} undecided.`]),
  ]
  return sentences
}

/** Returns `4 optional properties added, enum widened`: a phrase for each rule, the most frequent first. */
export function summarizeRules(changes: readonly Change[]): string {
  const counts = [...groupBy(changes, change => change.rule)].map(
    ([rule, { length }]) => [rule, length] as const,
  )
  return counts
    .toSorted(([, a], [, b]) => b - a)
    .map(([rule, amount]) => phrase(rule, amount))
    .join(', ')
}

/** Phrases for rules whose name does not give one. */
const phrases: Readonly<Record<string, (amount: number) => string>> = {
  'required-added': amount => `${properties(amount)} required now`,
  'required-removed': amount => `${properties(amount)} no longer required`,
}
const properties = (amount: number) => (amount === 1 ? 'property' : `${amount} properties`)

/** `property-added` → `4 optional properties added`. The count follows a plural: `enum values added (2)`. */
function phrase(rule: string, amount: number): string {
  const own = phrases[rule]
  if (own) return own(amount)
  const [, noun = '', verb = ''] =
    /^(.+)-(\w+)$/.exec(rule === 'property-added' ? 'optional-property-added' : rule) ?? []
  if (noun === '') return `${rule} (${amount})`
  const words = noun
    .replace(/^part-/, 'field-')
    .replace(/^safety$/, 'safety-hint')
    .replaceAll('-', ' ')
  if (words.endsWith('s') || !/(?:ed|way)$/.test(verb))
    return `${words} ${verb.replaceAll('-', ' ')}${amount > 1 ? ` (${amount})` : ''}`
  return `${amount === 1 ? words : `${amount} ${words.replace(/y$/, 'ie').concat('s')}`} ${verb}`
}

/** Returns the message next to its path: `property removed; undeclared fields are refused now` for `/timeout`. */
export function messageAt({ path, message }: Pick<Change, 'path' | 'message'>): string {
  const name = pointerSegments(path).at(-1)
  if (!path.startsWith('/') || name === undefined) return message
  const [first = '', ...parts] = message.split('; ')
  const own = first.endsWith(`: ${name}`) ? first.slice(0, -name.length - 2) : first
  return [own, ...parts].join('; ')
}

const count = (value: number) => value.toLocaleString('en')
const plural = (value: number, one: string) => `${count(value)} ${value === 1 ? one : `${one}s`}`
const isAre = (value: number) => (value === 1 ? 'is' : 'are')

/** One change, or the same one in several tools. */
export interface BriefEntry {
  /** The first of the equal changes. */
  readonly change: Change
  /** Empty for the server itself. */
  readonly tools: readonly string[]
  readonly count: number
}

/** Tools that changed in the same way, with the number of each kind of change. */
interface BriefRest {
  readonly tools: readonly string[]
  readonly summary: string
}

interface DiffBrief {
  readonly breaking: readonly BriefEntry[]
  /** Dangerous changes first, then warnings. */
  readonly look: readonly BriefEntry[]
  readonly rest: readonly BriefRest[]
  /** The number of changes in `rest`. */
  readonly restCount: number
}

/** Makes the short report: what breaks, what needs a look, and other changes, counted by tool. */
export function buildBrief({ changes }: DiffReport): DiffBrief {
  const ofSeverity = (...wanted: readonly string[]) =>
    changes.filter(({ severity }) => wanted.includes(severity))
  const rest = ofSeverity('info')
  return {
    breaking: mergeSameChanges(ofSeverity('breaking')),
    look: [...mergeSameChanges(ofSeverity('dangerous')), ...mergeSameChanges(ofSeverity('warning'))],
    rest: summarizeRest(rest),
    restCount: rest.length,
  }
}

/** The same change of several tools becomes one entry, at the position of the first. */
function mergeSameChanges(changes: readonly Change[]): BriefEntry[] {
  const groups = groupBy(changes, ({ rule, direction, path, message, cues, before, tools }) =>
    JSON.stringify([rule, direction, path, message, cues, tools && [tools, before]]),
  )
  return [...groups.values()].flatMap(members => {
    const [change] = members
    if (change === undefined) return []
    return [
      { change, tools: members.flatMap(({ tool, tools }) => tools ?? tool ?? []), count: members.length },
    ]
  })
}

function summarizeRest(changes: readonly Change[]): BriefRest[] {
  const folded = changes.filter(({ tools }) => tools !== undefined)
  const single = groupBy(
    changes.filter(({ tools }) => tools === undefined),
    ({ tool }) => tool ?? '',
  )
  const summaries = [...single].map(([tool, members]) => ({ tool, summary: summarizeRules(members) }))
  return [
    ...[...groupBy(summaries, ({ summary }) => summary)].map(([summary, members]) => ({
      tools: members.flatMap(({ tool }) => (tool === '' ? [] : tool)),
      summary,
    })),
    ...folded.map(({ tools = [], message }) => ({
      tools,
      summary: message.replace(/, across \d+ tools$/, ''),
    })),
  ]
}

/** Returns `a, b, c and 9 more`; `the server` without tools. */
export function toolsInWords(tools: readonly string[], show: (name: string) => string, maxNames = 3): string {
  if (tools.length === 0) return 'the server'
  const names = tools.slice(0, maxNames).map(show).join(', ')
  return tools.length > maxNames ? `${names} and ${tools.length - maxNames} more` : names
}
