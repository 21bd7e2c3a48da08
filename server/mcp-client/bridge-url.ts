/** Source kind: an HTTP bridge to MCP servers (`GET /tools`, `POST /tools/:name`), llm-functions' or Toolscope's. */

import { AppError, toAppError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/json.ts'
import { readManifest } from '../../core/manifest/read-manifest.ts'
import { secretsOfAddress } from '../../core/tool/mask.ts'
import type { Manifest, ManifestProblem } from '../../core/tool/tool.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import { fetchAddress, hideAddressSecrets, readResponseText } from '../fetch/fetch-address.ts'
import { isTimeLimit, runWithLimit } from '../process/run-with-limit.ts'
import { type CallArguments, loneWord, type Session, type SourceKind } from '../sources/source.ts'
import { emitExchange } from '../wire/emit.ts'
import { bridgeHeader, callBridge } from './call-bridge.ts'

const defaultListTimeoutMs = 20_000
/** The list is already there: its health is not worth a long wait. */
const healthTimeoutMs = 2_000

export const bridgeUrl: SourceKind<{ readonly bridge: string }> = {
  kind: 'bridge-url',

  /** `bridge:http://localhost:8808`: the prefix marks the URL as a bridge. */
  async detect(words) {
    const [, bridge] = /^bridge:(https?:\/\/.*)$/is.exec(loneWord(words) ?? '') ?? []
    return bridge === undefined ? null : { bridge }
  },

  async open(config, settings, context) {
    return new BridgeSession(config.bridge.replace(/\/+$/, ''), settings.listTimeoutMs, context.wire)
  },
}

export interface BridgeAnswer {
  readonly list: readonly unknown[]
  readonly ours: boolean
}

/**
 * Requests `GET /tools`; resolves to null if the answer is not a list. Throws AppError `source-failed` if there is no
 * answer, and as `runWithLimit` does.
 *
 * @param timeoutMs milliseconds for the whole answer
 */
export function askBridge(
  base: string,
  timeoutMs: number,
  signals: readonly AbortSignal[] = [],
  wire?: WireSink,
): Promise<BridgeAnswer | null> {
  return runWithLimit(signals, timeoutMs, async signal => {
    const headers = { accept: 'application/json' }
    const url = `${base}/tools?full=1`
    const { response, text } = await emitExchange(
      wire,
      { method: 'GET', url, headers, text: '' },
      async () => {
        const response = await fetchAddress(url, { signal, headers })
        return { response, text: await readResponseText(response, base) }
      },
    )
    const list = parseJson(text)
    if (!response.ok || !Array.isArray(list)) return null
    return { list, ours: response.headers.has(bridgeHeader) }
  })
}

export class BridgeSession implements Session {
  readonly kind = 'bridge-url'
  readonly label: string
  readonly secrets: readonly string[]
  private readonly base: string
  private readonly wire: WireSink | undefined
  private readonly listTimeoutMs: number
  private readonly closing = new AbortController()
  private ours = false

  constructor(base: string, listTimeoutMs = defaultListTimeoutMs, wire?: WireSink) {
    this.base = base
    this.wire = wire
    this.listTimeoutMs = listTimeoutMs
    this.label = hideAddressSecrets(base)
    this.secrets = secretsOfAddress(base)
  }

  async manifest(signal: AbortSignal): Promise<Manifest> {
    const signals = [signal, this.closing.signal]
    const answer = await askBridge(this.base, this.listTimeoutMs, signals, this.wire).catch(thrown => {
      if (isTimeLimit(thrown))
        throw new AppError(
          'source-timeout',
          `${this.label} did not answer within ${this.listTimeoutMs / 1000} s`,
        )
      throw toAppError(thrown)
    })
    if (answer === null)
      throw new AppError('source-failed', `${this.label}/tools gave no list of tools`, {
        hint: 'A bridge answers GET /tools with a JSON list. Is this the address of one?',
      })
    this.ours = answer.ours
    const manifest = readManifest(answer.list)
    return { ...manifest, problems: [...manifest.problems, ...(await this.healthProblems(signals))] }
  }

  call(...call: CallArguments) {
    return callBridge(this.base, call, { closing: this.closing.signal, wire: this.wire })
  }

  async close(): Promise<void> {
    this.closing.abort()
  }

  /** `GET /health` answers `OK` if the bridge works. It does not cover the servers behind it. */
  private async healthProblems(signals: readonly AbortSignal[]): Promise<ManifestProblem[]> {
    const ask = (path: string) =>
      runWithLimit(signals, healthTimeoutMs, async signal =>
        (await fetchAddress(`${this.base}${path}`, { signal })).text(),
      )
    const [health, pid] = await Promise.all([
      ask('/health').catch(() => 'no answer'),
      this.ours ? '' : ask('/pid').catch(() => ''),
    ])
    const unwell =
      health.trim() === 'OK' ? [] : [{ message: `The bridge's health is not OK: ${health.slice(0, 100)}` }]
    if (this.ours) return unwell
    const process = /^\d+$/.test(pid.trim()) ? ` (process ${pid.trim()})` : ''
    return [
      ...unwell,
      {
        message: `This bridge${process} cannot reliably report whether a call failed, and drops output schemas and all content except text.`,
        hint: 'To see all of it, serve the same mcp.json with `toolscope bridge mcp.json`.',
      },
    ]
  }
}
