/** The console: its commands, the help of a script, and saved scripts. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { type CommandAnswer, scriptNameProblem } from '../script/protocol.ts'
import type { ConfirmReason } from '../tool/confirm-reason.ts'
import { audited, defineEndpoints } from './endpoint.ts'

const consoleCommand = z.object({
  command: z.string(),
  ref: z.string(),
  /** First line of the description, at most 200 characters. */
  summary: z.string().exactOptional(),
  /** Why it needs confirmation before a call. */
  confirm: z.enum(['rule', 'guard', 'hint'] satisfies ConfirmReason[]).exactOptional(),
})
/** A command of the console, with the data of its tool that completion and the editor need. */
export type ConsoleCommand = z.infer<typeof consoleCommand>

const savedScript = z.object({ name: z.string(), text: z.string() })
export type SavedScript = z.infer<typeof savedScript>

/** Without a configuration file there is no folder, and the page stores scripts itself. */
const scriptList = z.object({
  /** The folder, relative to the configuration file; null without a configuration file. */
  folder: z.string().nullable(),
  scripts: list(savedScript),
})
export type ScriptList = z.infer<typeof scriptList>

export const scriptName = z.string().refine(name => scriptNameProblem(name) === undefined, {
  error: ({ input }) => scriptNameProblem(String(input)) ?? '',
})
const params = z.object({ name: scriptName })

export const scriptEndpoints = defineEndpoints({
  'GET /api/commands': {
    right: 'read',
    about: 'Every callable tool as a command of the console, in the order of the catalog',
    answer: z.object({ commands: list(consoleCommand) }),
  },
  'POST /api/commands/help': {
    right: 'read',
    about: '`help` and `discover` of a script',
    body: z.object({
      name: z.enum(['help', 'discover']),
      words: z.array(z.string().max(10_000)).max(100).readonly(),
    }),
    answer: z.object({
      stdout: z.string(),
      stderr: z.string(),
      exitCode: z.number(),
    }) satisfies z.ZodType<CommandAnswer>,
  },
  'GET /api/scripts': { right: 'read', about: 'The saved scripts', answer: scriptList },
  'PUT /api/scripts/{name}': audited({
    right: 'write',
    about: 'Saves a script',
    params,
    body: z.object({ text: z.string().max(256 * 1024) }),
    target: ({ params }) => params.name,
    answer: scriptList,
  }),
  'DELETE /api/scripts/{name}': audited({
    right: 'write',
    about: 'Deletes a script',
    params,
    target: ({ params }) => params.name,
    answer: scriptList,
  }),
})
