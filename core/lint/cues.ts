/** What the texts of a catalog do that a description should not: seen before the first version is kept. */

import { findCues } from '../text/cues.ts'
import { addedText } from '../text/text-change.ts'
import type { Tool } from '../tool/tool.ts'
import type { LintFinding } from './finding.ts'

const remedy = 'Read the text whole before an agent does. If it is meant so, leave it.'

/**
 * Cues in titles, descriptions, schemas and instructions: a dangerous one is a warning, one that ordinary servers have
 * too is a note. A cue is a hint for a person, not a verdict.
 *
 * @param servers what each source says of itself to a model
 */
export function cueFindings(
  tools: readonly Tool[],
  servers: readonly { readonly name: string; readonly instructions?: string | undefined }[],
): LintFinding[] {
  const names = new Set(tools.map(tool => tool.name))
  const cuesIn = (value: unknown, path: string, own?: string) =>
    findCues([{ kind: 'added', text: addedText(value) }], names, own).map(({ id, text, isDangerous }) => ({
      rule: `cue-${id}`,
      severity: isDangerous ? ('warning' as const) : ('info' as const),
      clients: [],
      path,
      message: text,
      remedy,
    }))
  return [
    ...servers.flatMap(({ name, instructions }) =>
      cuesIn(instructions, '/instructions').map(found => ({
        ...found,
        message: `${name}: ${found.message}`,
      })),
    ),
    ...tools.flatMap(({ ref, name, title, description, inputSchema, outputSchema }) =>
      Object.entries({ title, description, inputSchema, outputSchema }).flatMap(([field, value]) =>
        cuesIn(value, `/${field}`, name).map(found => ({ ...found, ref, name })),
      ),
    ),
  ]
}
