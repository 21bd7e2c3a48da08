/** Serves the recording of a program or a bridge as an MCP server, through the catalog: its tools get names that MCP allows. */
import { maxLimitMs } from '../../core/text/duration.ts'
import { createCaller } from '../calls/call.ts'
import { Catalog } from '../catalog/catalog.ts'
import type { TokenContext } from '../http/token.ts'
import { Emitter } from '../process/events.ts'
import { RecordedRuns } from '../replay/recorded-runs.ts'
import type { RecordingIndex } from '../replay/recording-index.ts'
import { type ReplayOptions, ReplayOrder } from '../replay/replay-order.ts'
import { startValidator } from '../workers/validator.ts'
import { mcpFactory } from './mcp-factory.ts'
import { overHttp, overStdio } from './serve-catalog.ts'

/** Serves until it is stopped. Resolves with the address, if it has one. Throws AppError `recording-invalid`. */
export async function replayRuns(
  index: RecordingIndex,
  options: ReplayOptions,
  port: number | undefined,
  context: TokenContext & {
    write(text: string): void
    readonly signal: AbortSignal
    readonly directory: string
  },
): Promise<string | undefined> {
  const { name } = index.source
  const runs = new RecordedRuns(index, index.file, new ReplayOrder(index, options))
  // A server without a tool looks like one that works, so a list that cannot be read ends the command.
  await runs.manifest()
  const catalog = new Catalog(context)
  const validator = startValidator()
  const opened = catalog.sources.open({
    settings: { name },
    kind: 'recording',
    label: index.file,
    definition: index.file,
    open: async () => runs,
  })
  try {
    const factory = mcpFactory({
      catalog,
      selection: { agents: 'all', agentToolsOnly: false },
      // A recorded call may have taken as long as a call can.
      timeoutMs: maxLimitMs,
      allowDestructive: true,
      opened,
      variables: {},
      pins: null,
      call: createCaller({ tools: catalog, validator, pins: null }),
      notifications: new Emitter(),
    })
    if (port === undefined) return await overStdio(factory, context.signal)
    return await overHttp(factory, { host: '127.0.0.1', port, withoutToken: true }, context, 'replay')
  } finally {
    await catalog.close()
    await validator.close()
  }
}
