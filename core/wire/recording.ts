/**
 * The file of a recording (`.toolrec`): JSON Lines, the first of which is the header. Each line is complete in itself,
 * so that a file whose end was lost is read up to its last whole line. docs/wire.md describes the format.
 */
import { z } from 'zod'
import { isObject, own } from '../json/json.ts'
import { wireMessage } from './wire-message.ts'

/** A reader refuses a newer version, and ignores unknown members and unknown types of lines. */
export const recordingVersion = 1

/** A recording of more sources is refused: an index becomes a place in a list. */
const maxSources = 10_000
const sourceIndex = z
  .int()
  .nonnegative()
  .max(maxSources - 1)

const header = z.object({
  type: z.literal('header'),
  toolrec: z.int().positive(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  /** The program that wrote the file: `toolscope record`, `toolscope tap`, `toolscope serve`. */
  by: z.string(),
  version: z.string(),
})

/**
 * A source, before its first message. `source` is its index in the file. A later line of the same source replaces it,
 * because `toolscope tap` knows the server only after the handshake.
 */
const recordedSource = z.object({
  type: z.literal('source'),
  source: sourceIndex,
  name: z.string(),
  /** The command or the address, with secrets masked. */
  label: z.string(),
  /** The kind of the source: `mcp-server`, `llms`, `incur`, `llm-functions`, `bridge`. */
  kind: z.string(),
  transport: z.enum(['stdio', 'http', 'run']),
  /** The negotiated version of MCP: `2025-11-25`. */
  protocol: z.string().optional(),
  serverInfo: z.unknown().optional(),
  capabilities: z.unknown().optional(),
  instructions: z.string().optional(),
})

/** The list of tools when the recording began, or a list that replaced it; `hash` is that of the version. */
const recordedManifest = z.object({
  type: z.literal('manifest'),
  source: sourceIndex,
  atMs: z.number().nonnegative(),
  hash: z.string(),
  /** The manifest file as `toolscope snapshot` writes it. */
  manifest: z.unknown(),
})

const recordedMessage = wireMessage.extend({
  type: z.literal('message'),
  source: sourceIndex,
})

/** The last line of a recording that was ended properly. */
const end = z.object({
  type: z.literal('end'),
  atMs: z.number().nonnegative(),
  messages: z.int().nonnegative(),
  /** How many secrets were masked. */
  masked: z.int().nonnegative(),
})

export const recordingLine = z.discriminatedUnion('type', [
  header,
  recordedSource,
  recordedManifest,
  recordedMessage,
  end,
])
/** The types of lines that this version knows. */
const lineTypes: ReadonlySet<unknown> = new Set(recordingLine.options.map(({ shape }) => shape.type.value))
export type RecordingLine = z.infer<typeof recordingLine>
export type RecordingHeader = z.infer<typeof header>
export type RecordedSource = z.infer<typeof recordedSource>
export type RecordedManifest = z.infer<typeof recordedManifest>
export type RecordedMessage = z.infer<typeof recordedMessage>

export type ReadLine =
  | { readonly line: RecordingLine }
  /** A line of an unknown type, which a later Toolscope wrote. */
  | { readonly isUnknown: true }
  /** `problem` ends the sentence "line 3 …": `is not JSON`. */
  | { readonly problem: string }

/** Reads one line. The first line must be the header; its version is checked. */
export function readRecordingLine(text: string, isFirst: boolean): ReadLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'is not JSON' }
  }
  if (
    !isFirst &&
    isObject(value) &&
    typeof own(value, 'type') === 'string' &&
    !lineTypes.has(own(value, 'type'))
  )
    return { isUnknown: true }
  const parsed = recordingLine.safeParse(value)
  if (isFirst && parsed.data?.type !== 'header') return { problem: 'is not the header of a recording' }
  if (!parsed.success) return { problem: `is not a line of a recording: ${z.prettifyError(parsed.error)}` }
  const { data } = parsed
  if (!isFirst && data.type === 'header') return { problem: 'is a second header' }
  if (data.type === 'header' && data.toolrec > recordingVersion)
    return {
      problem: `is of version ${data.toolrec}; this Toolscope reads up to ${recordingVersion}`,
    }
  return { line: data }
}

export const writeRecordingLine = (line: RecordingLine): string => `${JSON.stringify(line)}\n`
