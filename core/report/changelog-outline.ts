/** The parts of a version that every report shows, in order. */

import type { Change } from '../diff/change.ts'
import { sectionKinds } from '../diff/surface-sections.ts'
import { formatShellCommand } from '../text/shell.ts'
import { counted, shorten } from '../text/wording.ts'
import type { ChangelogBreak, ChangelogEntry } from './changelog.ts'
import { fragment } from './diff-format.ts'

/** Maximum breaking changes of one version; the full comparison has the others. */
const maxBreaks = 10
const maxValueCharacters = 300

export interface VisibleBreak {
  /** The tool, or the number of tools. */
  readonly subject: string
  readonly path: string
  readonly message: string
  readonly refusal: string | undefined
  /** The input or output as JSON in one line. */
  readonly value: string | undefined
}

/** Tools that were removed, renamed or added. Their names are hostile text. */
export interface VisibleList {
  readonly title: 'Removed' | 'Renamed' | 'Added'
  readonly mark: string
  readonly breaks: boolean
  readonly items: readonly (readonly [name: string, next?: string])[]
}

export interface EntryOutline {
  /** The day and the bump, shown next to the name. */
  readonly facts: readonly string[]
  readonly breaks: readonly VisibleBreak[]
  /** `4 more breaking changes`; absent if all are shown. */
  readonly moreBreaks: string | undefined
  readonly lists: readonly VisibleList[]
  /** The command that prints the full comparison; absent for the first version, and if nothing changed. */
  readonly command: string | undefined
}

export function buildEntryOutline(entry: ChangelogEntry): EntryOutline {
  const { time, bump, breaking, counts, before, reference, removed, renamed, added } = entry
  const breaks = schemaBreaks(entry)
  const visible = breaks.slice(0, maxBreaks)
  const more = counts.breaking - breaking.length + breaks.length - visible.length
  const names = (list: readonly string[]) => list.map(name => [name] as const)
  const lists: readonly VisibleList[] = [
    { title: 'Removed', mark: '✕', breaks: true, items: names(removed) },
    {
      title: 'Renamed',
      mark: '→',
      breaks: true,
      items: renamed.map(each => [each.before, each.after] as const),
    },
    { title: 'Added', mark: '+', breaks: false, items: names(added) },
  ]
  return {
    facts: [...(time ? [time.slice(0, 10)] : []), ...(bump && bump !== 'none' ? [bump] : [])],
    breaks: visible.map(toVisibleBreak),
    moreBreaks: more > 0 ? counted(more, 'more breaking change') : undefined,
    lists: lists.filter(({ items }) => items.length > 0),
    command:
      before === undefined || bump === 'none'
        ? undefined
        : formatShellCommand(['toolscope', 'diff', before.reference, reference]),
  }
}

function toVisibleBreak({ tool, tools, path, message, refusal, witness }: ChangelogBreak): VisibleBreak {
  return {
    subject: tool ?? (tools ? counted(tools.length, 'tool') : 'the manifest'),
    path,
    message,
    refusal,
    value: witness && shorten(fragment(witness.value, 0), maxValueCharacters),
  }
}

/** Returns the number of listed versions, and of older ones that are not listed. */
export function countsSentence(listed: number, older: number): string {
  const left = older > 0 ? `; ${counted(older, 'older one')} ${older === 1 ? 'is' : 'are'} not listed` : ''
  return `${counted(listed, 'version')}, newest first${left}.`
}

/** Returns breaking changes without removed and renamed tools, which an entry lists separately. */
export function schemaBreaks(entry: ChangelogEntry): readonly ChangelogBreak[] {
  return entry.breaking.filter(each => !isEntryChange(each, 'removed') && !isEntryChange(each, 'renamed'))
}

/** Whether a change adds, removes or renames a tool, prompt, resource or template. */
export function isEntryChange(
  { rule }: Pick<Change, 'rule'>,
  what: 'added' | 'removed' | 'renamed',
): boolean {
  return sectionKinds.some(kind => rule === `${kind}-${what}`)
}
