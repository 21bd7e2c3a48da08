/** `toolscope mock manifest.json|SOURCE`: an MCP server with the tools of a list, none of which runs. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { readExample } from '../../core/checks/example.ts'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { parseDuration } from '../../core/text/duration.ts'
import { counted } from '../../core/text/wording.ts'
import { toExampleKey } from '../checks/example-keeper.ts'
import { keepInFiles } from '../checks/keep-in-files.ts'
import { defineCommand, fields, sourceExits, sourceFields } from './command.ts'
import { throwFirstFailure, withCatalog } from './open-catalog.ts'

export const mockCommand = defineCommand({
  name: 'mock',
  description: 'Serve the tools of a manifest or a source with made-up answers, over stdio unless --http.',
  input: z.object({
    ...sourceFields,
    http: fields.port.optional().describe('Serve Streamable HTTP at /mcp of this port; 0 for a free one.'),
    seed: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('Other values for another seed; equal calls get equal answers.'),
    fail: z.string().default('0%').describe('The share of calls that fail: 5% or 0.05.'),
    latency: z.string().default('0ms').describe('The time before an answer: 50ms, or 20..200ms.'),
    recording: z.string().optional().describe('Calls that this recording has are answered from it, in turn.'),
    config: fields.config,
    trust: fields.trust,
  }),
  positionals: ['sources'],
  examples: [
    ['toolscope mock tools.json', 'over stdio; starts nothing'],
    ['toolscope mock tools.json --http 8080 --seed 7 --fail 5% --latency 20..200ms', 'at an address'],
  ],
  notes: [
    'Of a program or a server, the list of tools is read once at the start; then it is closed. A manifest file starts nothing.',
  ],
  exitCodes: {
    ...sourceExits,
    0: 'it was stopped, or the client closed the connection',
  },
  output: z.object({ url: z.string().optional() }),

  async run(input, context) {
    const failShare = readShare(input.fail)
    const latencyMs = readLatency(input.latency)
    const { tools, examples } = await withCatalog(input, context, async prepared => {
      throwFirstFailure(prepared)
      const { path, directory } = prepared.config
      return {
        tools: prepared.catalog.tools.list(),
        examples: path === null ? undefined : keepInFiles(directory),
      }
    })
    context.say(`toolscope mock: ${counted(tools.length, 'tool')}; no tool is run`)
    // Imported late, because the MCP server takes long to load.
    const { mockFactory } = await import('../serve-mcp/mock-factory.ts')
    const { overHttp, overStdio } = await import('../serve-mcp/serve-catalog.ts')
    const recording =
      input.recording === undefined
        ? undefined
        : await openAnswers(resolve(context.directory, input.recording))
    try {
      const factory = mockFactory(tools, {
        seed: input.seed,
        failShare,
        latencyMs,
        recording,
        saved: async tool => {
          const saved = await examples?.list(toExampleKey(tool)).catch(() => undefined)
          return (saved?.examples ?? []).flatMap(({ text }) => {
            const read = readExample(text)
            const expected = read.ok ? read.example.expect : undefined
            return expected !== undefined && 'exact' in expected ? [expected.exact] : []
          })
        },
      })
      const { http } = input
      const url =
        http === undefined
          ? await overStdio(factory, context.signal)
          : await overHttp(factory, { host: '127.0.0.1', port: http, withoutToken: true }, context, 'mock')
      return { output: withoutUndefined({ url }) }
    } finally {
      await recording?.index.close()
    }
  },

  print() {
    // The protocol was the output.
  },
})

async function openAnswers(file: string) {
  const { RecordingIndex } = await import('../replay/recording-index.ts')
  const { ReplayOrder } = await import('../replay/replay-order.ts')
  const index = await RecordingIndex.read(file)
  return { index, order: new ReplayOrder(index, { cycle: true, speed: Number.POSITIVE_INFINITY }) }
}

function readShare(text: string): number {
  const [, digits = '', percent] = /^(\d+(?:\.\d+)?)(%)?$/.exec(text) ?? []
  const share = digits === '' ? Number.NaN : Number(digits) / (percent === undefined ? 1 : 100)
  if (share >= 0 && share <= 1) return share
  throw new AppError('usage', `--fail ${text}: a share is 5% or 0.05, and at most 100%`)
}

function readLatency(text: string): readonly [number, number] {
  const [from = '', to = from] = text.split('..')
  // `20..200ms`: the unit of the second number holds for both.
  const unit = /[a-z]+$/i.exec(to)?.[0] ?? ''
  const least = parseDuration(/[a-z]$/i.test(from) ? from : `${from}${unit}`)
  const most = parseDuration(to)
  if (least !== null && most !== null && least <= most) return [least, most]
  throw new AppError('usage', `--latency ${text}: a latency is 50ms, or 20..200ms`)
}
