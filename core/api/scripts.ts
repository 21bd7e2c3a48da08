/** What the page asks of the server for its console. */
import { z } from 'zod'
import type { ConfirmReason } from '../call/confirm-reason.ts'
import { scriptNameProblem } from '../script/script-name.ts'

/** One command of the console: what completion and the editor need of its tool. */
export interface ConsoleCommand {
  readonly command: string
  readonly ref: string
  /** First line of the description, 200 characters at most. */
  readonly summary?: string
  /** Why it asks before it is called. */
  readonly confirm?: ConfirmReason
}

/** `GET /api/commands`: every callable tool, in the order of the catalog. */
export interface CommandList {
  readonly commands: readonly ConsoleCommand[]
}

/** `POST /api/commands/help`: `help` and `discover` of a script. The answer is a CommandAnswer. */
export const helpBody = z.object({
  name: z.enum(['help', 'discover']),
  words: z.array(z.string().max(10_000)).max(100),
})

export const scriptName = z.string().refine(name => scriptNameProblem(name) === undefined, {
  error: ({ input }) => scriptNameProblem(String(input)) ?? '',
})

/** `PUT /api/scripts/{name}` */
export const scriptBody = z.object({ text: z.string().max(256 * 1024) })

export interface SavedScript {
  readonly name: string
  readonly text: string
}

/** `GET /api/scripts`. Without a configuration file there is no folder: the page keeps scripts itself. */
export interface ScriptList {
  /** The folder, relative to the configuration file; null where there is none. */
  readonly folder: string | null
  readonly scripts: readonly SavedScript[]
}
