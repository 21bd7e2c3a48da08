/** `toolscope recording`: what a recording contains, or the recording in the format of another program. */
import { createWriteStream } from 'node:fs'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { isObject, own } from '../../core/json/json.ts'
import { counted } from '../../core/text/wording.ts'
import type { RecordedMessage, RecordingLine } from '../../core/wire/recording.ts'
import { toHar, toOtlp } from '../../core/wire/recording-formats.ts'
import { readRpc } from '../../core/wire/wire-message.ts'
import { readRecording } from '../wire/recording-file.ts'
import { defineCommand } from './command.ts'
import { writeLine } from './terminal.ts'

const sourceShape = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.string(),
  protocol: z.string().optional(),
  messages: z.number(),
  calls: z.record(z.string(), z.number()).describe('The number of calls of each tool.'),
})

const formats = { har: toHar, otlp: toOtlp }

export const recordingCommand = defineCommand({
  name: 'recording',
  description: 'Show what a recording contains, or convert it to HAR or to OpenTelemetry spans.',
  input: z.object({
    file: z.string().describe('A file of record, tap or the page: session.toolrec.'),
    as: z
      .enum(['har', 'otlp'])
      .optional()
      .describe('har: the HTTP exchanges, for browsers and proxies; otlp: the requests as spans.'),
    out: z.string().optional().describe('Write to this file instead of stdout.'),
  }),
  positionals: ['file'],
  short: { out: 'o' },
  examples: [
    ['toolscope recording session.toolrec', 'its sources, messages and calls'],
    ['toolscope recording session.toolrec --as har -o session.har', 'for the network view of a browser'],
  ],
  exitCodes: {
    0: 'done',
    2: 'the command line is invalid, or the file cannot be written',
    3: 'the file cannot be read, or is not a recording',
  },
  output: z.object({
    startedAt: z.string().optional(),
    by: z.string().optional(),
    sources: z.array(sourceShape),
    masked: z
      .number()
      .optional()
      .describe('How many secrets were masked; absent if the recording has no end.'),
    file: z.string().optional().describe('The file that was written.'),
    text: z.string().optional().describe('The converted recording.'),
  }),

  async run({ file, as, out }, context) {
    const lines = readLines(resolve(context.directory, file), context.say)
    if (as === undefined) return { output: await summarise(lines) }
    const pieces = formats[as](lines)
    if (out === undefined) {
      let text = ''
      for await (const piece of pieces) text += piece
      return { output: { sources: [], text } }
    }
    const target = resolve(context.directory, out)
    // The first line is read before the file is created, so that a wrong name leaves no empty file.
    const first = await pieces.next()
    try {
      await pipeline(Readable.from(withFirst(first, pieces)), createWriteStream(target))
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown
      throw new AppError('usage', `${target} could not be written: ${toErrorMessage(thrown)}`)
    }
    return { output: { sources: [], file: target } }
  },

  print({ sources, startedAt, by, masked, file, text }, context, input) {
    if (file !== undefined) return writeLine(context, file)
    if (text !== undefined) return writeLine(context, text.trimEnd())
    writeLine(context, `${basename(input.file)} · ${startedAt} · ${by}`)
    for (const source of sources) {
      const calls = Object.values(source.calls).reduce((sum, count) => sum + count, 0)
      const parts = [source.name, source.label, source.protocol && `MCP ${source.protocol}`]
      const counts = [counted(source.messages, 'message'), counted(calls, 'call')]
      writeLine(context, [...parts.filter(Boolean), ...counts].join(' · '))
      for (const [tool, count] of Object.entries(source.calls)) writeLine(context, `  ${tool} · ${count}`)
    }
    if (masked === undefined) context.say('The recording has no last line: its program was ended.')
    else context.say(`${counted(masked, 'secret')} masked.`)
  },
})

async function* readLines(file: string, say: (line: string) => void): AsyncGenerator<RecordingLine> {
  const onCut = (number: number) => say(`Line ${number}, the last, is not whole and is left out.`)
  for await (const { line } of readRecording(file, { onCut })) yield line
}

async function* withFirst(first: IteratorResult<string>, rest: AsyncGenerator<string>) {
  if (first.done) return
  yield first.value
  yield* rest
}

async function summarise(lines: AsyncGenerator<RecordingLine>) {
  const sources: (Omit<z.infer<typeof sourceShape>, 'calls'> & { calls: Map<string, number> })[] = []
  let about: { startedAt?: string; by?: string } = {}
  let masked: number | undefined
  for await (const line of lines) {
    if (line.type === 'header') about = { startedAt: line.startedAt, by: line.by }
    if (line.type === 'source') {
      const { name, label, kind, protocol } = line
      sources[line.source] = {
        name,
        label,
        kind,
        ...(protocol && { protocol }),
        messages: 0,
        calls: new Map(),
      }
    }
    if (line.type === 'end') masked = line.masked
    const source = line.type === 'message' ? sources[line.source] : undefined
    if (line.type !== 'message' || source === undefined) continue
    source.messages += 1
    const tool = calledTool(line)
    if (tool !== undefined) source.calls.set(tool, (source.calls.get(tool) ?? 0) + 1)
  }
  const listed = sources.filter(each => each !== undefined)
  return {
    ...about,
    sources: listed.map(each => ({ ...each, calls: Object.fromEntries(each.calls) })),
    ...(masked !== undefined && { masked }),
  }
}

function calledTool({ part, direction, run, text }: RecordedMessage): string | undefined {
  if (part === 'start') return run?.tool
  if (direction !== 'sent' || !text.includes('tools/call')) return undefined
  const rpc = readRpc(text)
  if (rpc?.kind !== 'request' || rpc.method !== 'tools/call' || !isObject(rpc.params)) return undefined
  const name = own(rpc.params, 'name')
  return typeof name === 'string' ? name : undefined
}
