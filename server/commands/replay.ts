/** `toolscope replay session.toolrec`: an MCP server that answers as a recording does. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { defineCommand, fields } from './command.ts'

export const replayCommand = defineCommand({
  name: 'replay',
  description: 'Serve a recording as an MCP server that answers as recorded, over stdio unless --http.',
  input: z.object({
    recording: z.string().describe('The file that `toolscope record` or `toolscope tap` wrote.'),
    source: z.string().optional().describe('The source of the recording, if it has several.'),
    http: fields.port.optional().describe('Serve Streamable HTTP at /mcp of this port; 0 for a free one.'),
    cycle: z
      .boolean()
      .default(false)
      .describe('After the last recorded answer of a call, begin with its first one again.'),
    speed: z
      .string()
      .regex(/^(?:max|\d+(?:\.\d+)?)$/, 'a speed is a number like 2 or 0.5, or max')
      .default('1')
      .describe('1 waits as long as the recorded server did, 2 half as long, max not at all.'),
  }),
  positionals: ['recording'],
  examples: [
    ['toolscope replay session.toolrec', 'over stdio'],
    ['toolscope replay session.toolrec --http 8080 --speed max --cycle', 'at http://127.0.0.1:8080/mcp'],
  ],
  exitCodes: {
    0: 'it was stopped, or the client closed the connection',
    2: 'the command line is invalid',
    3: 'the recording cannot be read, or has no such source',
  },
  output: z.object({ url: z.string().optional() }),

  async run({ recording, source, http, cycle, speed }, context) {
    const options = { cycle, speed: readSpeed(speed) }
    // Imported late, because each needs another part of the program.
    const { RecordingIndex } = await import('../replay/recording-index.ts')
    const index = await RecordingIndex.read(resolve(context.directory, recording), source)
    try {
      if (!index.isMcp) {
        const { replayRuns } = await import('../serve-mcp/replay-runs.ts')
        return { output: withoutUndefined({ url: await replayRuns(index, options, http, context) }) }
      }
      // A client may be given the list that the recording has outside its messages.
      if (index.find({ method: 'tools/list', params: {} }).length === 0) {
        const { readRecordedManifest } = await import('../replay/unrecorded-answer.ts')
        await readRecordedManifest(index)
      }
      const { replayOverHttp, replayOverStdio } = await import('../serve-mcp/serve-replay.ts')
      if (http === undefined) {
        await replayOverStdio(index, options, context.signal)
        return { output: {} }
      }
      return { output: { url: await replayOverHttp(index, options, { ...context, port: http }) } }
    } finally {
      await index.close()
    }
  },

  print() {
    // The protocol was the output.
  },
})

function readSpeed(text: string): number {
  const speed = text === 'max' ? Number.POSITIVE_INFINITY : Number(text)
  if (speed > 0) return speed
  throw new AppError('usage', `--speed ${text}: a speed is greater than 0`)
}
