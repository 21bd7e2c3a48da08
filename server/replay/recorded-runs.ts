/** The recording of a program or a bridge as a source: each call ends as the recorded one did. Nothing is started. */
import { AppError } from '../../core/errors.ts'
import { readJson } from '../../core/json/json-text.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { Manifest, ManifestTool } from '../../core/tool/tool.ts'
import type { RecordedMessage } from '../../core/wire/recording.ts'
import { callKey } from '../../core/wire/replay-key.ts'
import { readFunctionEnding } from '../llm-functions/call-program.ts'
import { readBridgeAnswer } from '../mcp-client/call-bridge.ts'
import type { RunResult } from '../process/process.ts'
import { readIncurEnding } from '../sources/call-incur.ts'
import { readLlmsEnding } from '../sources/llms-program.ts'
import { cancelledHint, failure } from '../sources/run-failure.ts'
import type { CallArguments, CallEvents, Session } from '../sources/source.ts'
import type { RecordingIndex } from './recording-index.ts'
import type { ReplayOrder } from './replay-order.ts'
import { calledTools, readRecordedManifest } from './unrecorded-answer.ts'

export class RecordedRuns implements Session {
  readonly kind = 'recording'
  readonly label: string
  readonly watch: readonly string[]
  readonly renews = true
  private readonly index: RecordingIndex
  private readonly order: ReplayOrder
  private format = ''

  constructor(index: RecordingIndex, label: string, order: ReplayOrder) {
    this.index = index
    this.label = label
    this.order = order
    this.watch = [index.file]
  }

  async manifest(): Promise<Manifest> {
    const manifest = await readRecordedManifest(this.index)
    if (manifest !== undefined) {
      this.format = manifest.format
      return manifest
    }
    const tools = calledTools(this.index)
    if (tools.length === 0)
      throw new AppError('recording-invalid', `${this.label} has no list of tools and no call`)
    const problems = [
      { message: 'The recording has no list of tools: these are the tools that were called.' },
    ]
    return { tools, format: 'recording', problems }
  }

  async *call(...[tool, input, options]: CallArguments): CallEvents {
    const read = readJson(input.text)
    const found = await this.order.choose(callKey(tool.name, (read.ok ? read.value : undefined) ?? {}))
    if ('problem' in found) {
      yield failure('not-found', found.problem, 'A recording answers only the calls that it has.')
      return
    }
    let run = { stdout: '', stderr: '' }
    let atMs = (await this.index.request(found.request)).atMs
    for await (const message of this.index.script(found.request)) {
      try {
        await this.order.wait(message.atMs - atMs, options.signal)
      } catch {
        yield failure('cancelled', 'Cancelled.', cancelledHint)
        return
      }
      atMs = message.atMs
      const { part, text } = message
      if (part === 'stdout' || part === 'stderr') {
        run = { ...run, [part]: run[part] + text }
        yield { type: part, text }
      } else if (part === 'end' || part === 'response') {
        yield this.readEnding(message, run, tool)
        return
      }
    }
    yield failure('network', 'The recording ended before the answer.')
  }

  async close(): Promise<void> {
    await this.index.close()
  }

  private readEnding(
    { part, text, http, run }: RecordedMessage,
    { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
    tool: ManifestTool,
  ): SessionEvent {
    if (part === 'response')
      return readBridgeAnswer(text, http?.status ?? 200, http?.headers ?? {}, tool.name)
    const { exitCode, signal, output } = run ?? {}
    const result: RunResult = {
      end: 'exit',
      ...(exitCode !== undefined && { exitCode }),
      ...(signal !== undefined && { signal }),
      stdout,
      stderr,
      stdoutBytes: Buffer.byteLength(stdout),
      validUtf8: true,
    }
    const { kind } = this.index.source
    if (kind.includes('functions') || output !== undefined)
      return readFunctionEnding(result, { text: output ?? '', cut: false, validUtf8: true })
    return kind === 'incur' || this.format === 'incur'
      ? readIncurEnding(result)
      : readLlmsEnding(result, tool)
  }
}
