/** `toolscope record SOURCE… -o FILE`: serves the page, and records every message of the sources in a file. */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { counted } from '../../core/text/wording.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { getWire } from '../catalog/create-wire.ts'
import { Recorder } from '../wire/recordings.ts'
import { defineCommand, printError } from './command.ts'
import { serveExits, serveFields, serveUntilStopped } from './serve.ts'
import { writeLine } from './terminal.ts'

export const recordCommand = defineCommand({
  name: 'record',
  description: 'Serve the page, and record every message of the sources in a file until it is stopped.',
  input: z.object({
    ...serveFields,
    out: z.string().min(1).describe('The file: session.toolrec.'),
    force: z.boolean().default(false).describe('Replace the file if it exists.'),
    redact: z
      .array(z.string().regex(/^\//, 'must be a JSON Pointer, such as /params/arguments/ssn'))
      .default([])
      .describe('A JSON Pointer of a value that is masked too: /params/arguments/ssn. Repeatable.'),
  }),
  positionals: ['sources'],
  short: { out: 'o' },
  notes: [
    'Secrets are masked in the file: credentials, cookies, session ids, tokens, values of variables and options with the name of a secret, fields that a tool marks as secret.',
    'Sources that were added in the page are not recorded. The page can record too: docs/wire.md.',
  ],
  examples: [
    ['toolscope record "npx -y some-server" -o session.toolrec', 'what an MCP server and the page say'],
    ['toolscope record -o session.toolrec --redact /ssn --no-open', 'the sources of toolscope.json'],
  ],
  exitCodes: {
    ...serveExits,
    2: 'the command line or toolscope.json is invalid, or the file cannot be written',
  },
  output: z.object({ file: z.string(), messages: z.number(), calls: z.number(), masked: z.number() }),

  async run({ out, force, redact, ...input }, context) {
    const file = resolve(context.directory, out)
    const onProblem = (problem: Parameters<typeof printError>[0]) => printError(problem, context)
    const recorder = new Recorder(file, { by: 'toolscope record', force, redact, onProblem })
    try {
      await serveUntilStopped(input, context, catalog => followSources(catalog, recorder))
    } catch (thrown) {
      await recorder.close()
      // The next try must not find a file that has nothing in it.
      if (recorder.counts().messages === 0) rmSync(file, { force: true })
      throw thrown
    }
    await recorder.close()
    return { output: { file, ...recorder.counts() } }
  },

  print({ file, messages, calls, masked }, context) {
    const counts = [counted(messages, 'message'), counted(calls, 'call')].join(' and ')
    writeLine(context, `${counts} in ${file}, ${counted(masked, 'secret')} masked`)
  },
})

/** Records each source of the command line and of files before it is opened. Returns a function that stops it. */
function followSources({ sources }: Catalog, recorder: Recorder): () => void {
  const recorded = new Set<unknown>()
  const stops = [
    sources.onManifest(() => void recorder.readManifests()),
    sources.onChange(({ what, source }) => {
      const connection = what === 'sources' ? sources.find(source) : undefined
      if (connection === undefined || recorded.has(connection)) return
      recorded.add(connection)
      if (connection.spec.origin?.from !== 'page') recorder.add(getWire(connection), true)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
