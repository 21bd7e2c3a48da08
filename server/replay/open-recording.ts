/** Opens a recording as a source. Imported with the first one, because the MCP client takes long to load. */
import { basename, resolve } from 'node:path'
import { readHiddenCatalog } from '../mcp-client/open-server.ts'
import { McpSession } from '../mcp-client/session.ts'
import type { Session, SourceContext, SourceSettings } from '../sources/source.ts'
import { RecordedRuns } from './recorded-runs.ts'
import { RecordingIndex } from './recording-index.ts'
import { type ReplayOptions, ReplayOrder } from './replay-order.ts'
import { connectReplay } from './replay-transport.ts'

/** A page or a check calls the same tool again and again, and does not want to wait. */
const asSource: ReplayOptions = { cycle: true, speed: Number.POSITIVE_INFINITY }

/** Throws AppError `recording-invalid`, `source-not-found` and `source-unrecognised` as `RecordingIndex.read`. */
export async function openRecording(
  { recording, source }: { readonly recording: string; readonly source?: string | undefined },
  settings: SourceSettings,
  context: SourceContext,
  options: ReplayOptions = asSource,
): Promise<Session> {
  const index = await RecordingIndex.read(resolve(context.directory, recording), source)
  const label = source === undefined ? basename(recording) : `${basename(recording)}#${source}`
  if (!index.isMcp) return new RecordedRuns(index, label, new ReplayOrder(index, options))
  return new RecordedServer(index, label, options, settings, context)
}

class RecordedServer extends McpSession {
  override readonly kind = 'recording'
  private readonly index: RecordingIndex

  constructor(
    index: RecordingIndex,
    label: string,
    options: ReplayOptions,
    settings: SourceSettings,
    context: SourceContext,
  ) {
    const { listTimeoutMs, sampling = true } = settings
    const parts = {
      label,
      problems: [],
      secrets: [],
      answerTimeoutMs: listTimeoutMs,
      // The recorded server has asked its questions already; the roots of this machine are not its business.
      offer: { era: 'auto', sampling, roots: [] } as const,
      hiddenCatalog: readHiddenCatalog(settings, context),
      logLevel: undefined,
      watch: () => [index.file],
      connect: (...given: readonly [Parameters<typeof connectReplay>[2], AbortSignal]) =>
        connectReplay(index, options, ...given),
    }
    super(parts, context)
    this.index = index
  }

  override async close(): Promise<void> {
    await super.close()
    await this.index.close()
  }
}
