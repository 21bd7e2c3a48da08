/** Finds suspicious text in a catalog before its first version is stored. */

import { addedText, findCues } from '../text/cues.ts'
import type { Tool } from '../tool/tool.ts'
import type { LintFinding } from './lint-finding.ts'

const remedy = 'Read the text whole before an agent does. If it is meant so, leave it.'

/**
 * Returns cues in titles, descriptions, schemas and instructions. A dangerous cue is a warning; one that ordinary
 * servers have too is a note. A cue is a hint for the user, not a verdict.
 *
 * @param servers the sources' own instructions for a model
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
