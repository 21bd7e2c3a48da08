/** Rights: what a server allows to clients with its token. Every endpoint of the contract needs exactly one. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { defineEndpoints, type Right } from './endpoint.ts'

/** Every right, weakest first. */
export const personRights = ['read', 'call', 'write', 'sources'] as const satisfies readonly Right[]

/** The rights of a person of a team. The operator, who has the token of the server, is not a person. */
export interface PersonRights {
  readonly name: string
  readonly rights: readonly Right[]
  /** The only sources that exist for the person; undefined: all. */
  readonly sources?: readonly string[] | undefined
}

/** The mode of a server (`--read-only`, `--fixed-sources`). */
export interface ServerMode {
  readonly readOnly: boolean
  readonly fixedSources: boolean
}

/** The description of each right, for docs/team.md. */
export const rights: Readonly<Record<Right, string>> = {
  read: 'browse tools, help, prompts, versions; compare; read history, examples, scripts',
  call: 'call tools, run examples, read a list of tools again',
  write: 'save and delete examples, scripts and labels; pin and delete calls',
  sources:
    'add, change, remove, start and stop sources, save them to toolscope.json, and trust what it starts',
}

/** Returns why a server of this mode refuses a right; undefined if it grants it. */
export function describeRightRefusal(
  right: Right,
  { readOnly, fixedSources }: ServerMode,
): string | undefined {
  if (right === 'read') return undefined
  if (readOnly) return `${refused[right]}: this server is read-only.`
  return right === 'sources' && fixedSources
    ? `${refused.sources}: the sources of this server are fixed.`
    : undefined
}

/** Returns why a person may not use a right; undefined if it may. */
export function describePersonRefusal(
  right: Right,
  { name, rights, sources }: PersonRights,
): string | undefined {
  if (!rights.includes(right))
    return `${right === 'read' ? 'Nothing can be read here' : refused[right]}: ${name} has no right "${right}".`
  // A source can read every file of the server, so its right does not go with a limit to some sources.
  return right === 'sources' && sources !== undefined
    ? `${refused.sources}: ${name} is limited to ${sources.join(', ')}.`
    : undefined
}

/** Whether the client may open sources, and so read any file that the server can read. */
export const mayOpenSources = (mode: ServerMode): boolean =>
  describeRightRefusal('sources', mode) === undefined

const refused = {
  call: 'Tools cannot be called here',
  write: 'Nothing can be saved or deleted here',
  sources: 'Sources cannot be opened, started or stopped here',
} as const satisfies Record<Exclude<Right, 'read'>, string>

export const rightEndpoints = defineEndpoints({
  'GET /api/rights': {
    about: 'The endpoints that this server refuses, each with the reason, and the person that asks',
    right: 'read',
    answer: z.object({
      refused: z.record(z.string(), z.string()),
      /** Absent for the token of the server. */
      person: z
        .object({
          name: z.string(),
          rights: list(z.enum(personRights)),
          /** The only sources that the person sees; absent: all. */
          sources: list(z.string()).exactOptional(),
        })
        .exactOptional(),
    }),
  },
})
