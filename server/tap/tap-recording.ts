/** Writes the messages that pass a tap to a recording: numbered, without secrets, with what the handshake says. */
import { isObject, own, parseJson } from '../../core/json/json.ts'
import { isSchema } from '../../core/schema/schema.ts'
import { mask } from '../../core/tool/mask.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { MessageMasker, type MessageMaskerFacts } from '../../core/wire/mask-message.ts'
import type { RecordedSource } from '../../core/wire/recording.ts'
import { type EmittedMessage, toRpc, type WireSink } from '../../core/wire/wire-message.ts'
import { type RecordingCounts, type RecordingOptions, RecordingWriter } from '../wire/recording-file.ts'
import type { SourceWireFacts } from '../wire/source-wire.ts'

export interface TapRecordingOptions extends Pick<RecordingOptions, 'force' | 'onProblem'> {
  /** The name and the command or address, with secrets masked. */
  readonly source: Pick<RecordedSource, 'name' | 'label' | 'transport'>
  readonly secrets: readonly string[]
  /** JSON Pointers of values that are secret too. */
  readonly redact: readonly string[]
}

/** `_meta` of each request of 2026-07-28. */
const versionKey = 'io.modelcontextprotocol/protocolVersion'
const serverInfoKey = 'io.modelcontextprotocol/serverInfo'

export class TapRecording {
  private readonly writer: RecordingWriter
  private readonly masker: MessageMasker
  private readonly maskerFacts: MessageMaskerFacts
  private readonly schemas = new Map<string, JsonSchema>()
  private readonly openedAt = performance.now()
  private source: RecordedSource
  private seq = 0

  /** Throws AppError `usage` if the file exists and `force` is not set, or if it cannot be created. */
  constructor(file: string, { source, secrets, redact, ...options }: TapRecordingOptions) {
    this.maskerFacts = { secrets: () => secrets, inputSchema: tool => this.schemas.get(tool), redact }
    this.masker = new MessageMasker(this.maskerFacts)
    this.writer = new RecordingWriter(file, { ...options, by: 'toolscope tap' })
    this.source = { type: 'source', source: 0, kind: 'mcp-server', ...source }
    this.writer.write(this.source)
  }

  get file(): string {
    return this.writer.file
  }

  /** Masks and describes the same messages in the memory of a page. */
  get wireFacts(): SourceWireFacts {
    return {
      ...this.maskerFacts,
      describe: () => withoutTypes(this.source),
      manifest: async () => undefined,
    }
  }

  readonly sink: WireSink = emitted => {
    this.seq += 1
    const { direction, part, text, bytes = Buffer.byteLength(text) } = emitted
    const atMs = Math.round((performance.now() - this.openedAt) * 1_000) / 1_000
    // The number first, so that a line can be read by people.
    const numbered = { type: 'message', source: 0, seq: this.seq, atMs, direction, part } as const
    try {
      this.readFacts(emitted)
      this.masker.note(emitted)
      const { message, masked } = this.masker.mask({ ...emitted, bytes })
      this.writer.write({ ...numbered, ...message })
      this.writer.addMasked(masked)
    } catch {
      // A text that cannot be read, such as JSON of 100,000 levels, cannot be masked either.
      this.writer.write({ ...numbered, text: mask, bytes, isCut: true })
      this.writer.addMasked(1)
    }
  }

  /** Adds the last line and closes the file. */
  close(): RecordingCounts {
    return this.writer.close()
  }

  /** Reads the protocol, the server and the schemas from the few messages that have them. */
  private readFacts({ direction, text, http }: EmittedMessage): void {
    if (direction === 'sent') {
      if (this.source.kind === 'mcp-server' && /\/tools(?:\/[^/?#]+)?$/.test(http?.url ?? ''))
        this.describe({ kind: 'bridge' })
      if (this.source.protocol !== undefined || !text.includes(versionKey)) return
      const params = own(toObject(parseJson(text)), 'params')
      const protocol = own(toObject(own(toObject(params), '_meta')), versionKey)
      if (typeof protocol === 'string') this.describe({ protocol })
      return
    }
    const hasTools = text.includes('"inputSchema"')
    if (!hasTools && !/"(?:serverInfo|supportedVersions)"/.test(text)) return
    const rpc = toRpc(parseJson(text))
    if (rpc?.kind !== 'result') return
    const result = toObject(rpc.result)
    if (hasTools) this.readTools(own(result, 'tools'))
    const protocol = own(result, 'protocolVersion')
    const isInitialized = typeof protocol === 'string'
    if (!isInitialized && !Array.isArray(own(result, 'supportedVersions'))) return
    const instructions = own(result, 'instructions')
    const serverInfo = own(result, 'serverInfo') ?? own(toObject(own(result, '_meta')), serverInfoKey)
    this.describe({
      ...(isInitialized && { protocol }),
      ...(serverInfo !== undefined && { serverInfo: this.maskValue(serverInfo) }),
      capabilities: this.maskValue(own(result, 'capabilities') ?? {}),
      ...(typeof instructions === 'string' && { instructions: this.masker.maskText(instructions) }),
    })
  }

  private readTools(tools: unknown): void {
    for (const tool of Array.isArray(tools) ? tools : []) {
      const name = own(toObject(tool), 'name')
      const schema = own(toObject(tool), 'inputSchema')
      if (typeof name === 'string' && isSchema(schema)) this.schemas.set(name, schema)
    }
  }

  /** Writes the source again: the last line of a source applies. */
  private describe(facts: Partial<RecordedSource>): void {
    this.source = { ...this.source, ...facts }
    this.writer.write(this.source)
  }

  private maskValue(value: unknown): unknown {
    return parseJson(this.masker.maskText(JSON.stringify(value)))
  }
}

const withoutTypes = ({ type: _type, source: _index, ...facts }: RecordedSource) => facts

const toObject = (value: unknown) => (isObject(value) ? value : {})
