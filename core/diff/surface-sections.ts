/** The parts of a manifest that are compared entry by entry: tools, prompts, resources, templates and skills. */

import { surfaceEntries } from '../tool/surface.ts'
import type { Callable, Surface } from '../tool/tool.ts'
import type { DiffSide } from './change.ts'

export const sectionKinds = ['tool', 'prompt', 'resource', 'template', 'skill'] as const
export type SectionKind = (typeof sectionKinds)[number]

export interface SurfaceSection {
  readonly kind: SectionKind
  readonly before: readonly Callable[]
  readonly after: readonly Callable[]
}

/** Returns one section for each kind, since a prompt never becomes a tool. Entries have the shape of tools. */
export function buildSections(before: DiffSide, after: DiffSide): readonly SurfaceSection[] {
  const [entriesBefore, entriesAfter] = [listComparableEntries(before), listComparableEntries(after)]
  const of = (entries: readonly Callable[], kind: SectionKind) => entries.filter(entry => entry.kind === kind)
  return sectionKinds.map(kind =>
    kind === 'tool'
      ? { kind, before: before.tools, after: after.tools }
      : { kind, before: of(entriesBefore, kind), after: of(entriesAfter, kind) },
  )
}

/** Returns the name of an entry in a report: tools by name, other entries with their kind first. */
export function toEntryLabel(kind: SectionKind, name: string): string {
  return kind === 'tool' ? name : `${kind} ${name}`
}

/**
 * Callers address a resource by its URI, so the URI becomes the name. Servers ignore undeclared arguments. A skill is
 * compared by its files, so its form does not count.
 */
function listComparableEntries(surface: Surface): readonly Callable[] {
  return surfaceEntries(surface).map(({ callable }) => {
    const { uri, name, title = name } = callable
    const inputSchema = callable.kind === 'skill' ? true : callable.inputSchema
    const entry = uri === undefined ? callable : { ...callable, name: uri, title, inputSchema }
    if (typeof inputSchema !== 'object') return entry
    const { additionalProperties: _closed, ...open } = inputSchema
    return { ...entry, inputSchema: open }
  })
}
