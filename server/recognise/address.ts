/** Source kind: a bare URL. Opening it determines whether it is a bridge, an MCP server or a manifest. */
import { resolve } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { parseManifestText } from '../../core/manifest/read-manifest.ts'
import { secretsOfAddress } from '../../core/tool/mask.ts'
import { fetchAddress, hideAddressSecrets, readResponseText } from '../fetch/fetch-address.ts'
import { isLoopback } from '../fetch/loopback.ts'
import { askBridge, BridgeSession } from '../mcp-client/bridge-url.ts'
import { mcpServer } from '../mcp-client/mcp-server.ts'
import { fileStatus, findOnPath } from '../process/command-line.ts'
import { isTimeLimit, runWithLimit } from '../process/run-with-limit.ts'
import { loneWord, type Session, type SourceContext, type SourceKind } from '../sources/source.ts'
import { openInTurn, secondWayMs, type Way } from './ask-in-turn.ts'

/** Milliseconds that a URL may take to answer as a bridge before it is treated as an MCP server. */
const maxAskMs = 3_000
/** The same for one that gave no answer in this time and is not an MCP server. */
const maxLateAskMs = 10_000
const defaultManifestTimeoutMs = 20_000

/**
 * Returns `localhost:3000` or `example.com/mcp` with its scheme, or undefined if the word cannot be a URL. The path of
 * a missing file (`build.old/tools.json`) is not a URL: a typo must not send a request to a host.
 */
function withScheme(word: string): string | undefined {
  const [, host = '', port = '', path = ''] =
    /^(localhost|\[[\da-f:]+\]|(?:[\w-]+\.)+(?:\d+|[a-z]{2,}))(:\d+)?(\/\S*)?$/i.exec(word) ?? []
  const isLocal = isLoopback(host.replace(/^\[|\]$/g, ''))
  const isRemote = host !== '' && (port !== '' || (path !== '' && !/\.\w+$/.test(path)))
  const url = `${isLocal ? 'http' : 'https'}://${host}${port}${path}`
  return (isLocal || isRemote) && URL.canParse(url) ? url : undefined
}

/**
 * Returns the URL that a word names, with its scheme; undefined if the word names an existing file or a program, or is
 * not a URL.
 */
export function recogniseAddress(
  word: string,
  { directory, environment }: Pick<SourceContext, 'directory' | 'environment'>,
): string | undefined {
  if (/^https?:\/\/\S+$/i.test(word)) return word
  const url = withScheme(word)
  const isOther = url === undefined || fileStatus(resolve(directory, word)) || findOnPath(word, environment)
  return isOther ? undefined : url
}

export interface AddressConfig {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

export const address: SourceKind<AddressConfig> = {
  kind: 'address',

  async detect(words, context) {
    const url = recogniseAddress(loneWord(words) ?? '', context)
    return url === undefined ? null : { url }
  },

  async open(config, settings, context) {
    const { url, headers = {} } = config
    const mcp: Way = {
      requestedAs: 'as an MCP server',
      open: () => mcpServer.open(config, settings, context),
    }
    // The usual paths of MCP servers are opened directly, and so are URLs with headers: a bridge takes none.
    const isServer = /\/(?:mcp|sse)\/?$/.test(new URL(url).pathname) || Object.keys(headers).length > 0
    if (isServer) return mcp.open()
    const base = url.replace(/\/+$/, '')
    // If there is no answer, the MCP session reports the error and tries again later.
    let isSlow = false
    const answer = await askBridge(base, maxAskMs).catch((thrown: unknown) => {
      isSlow = isTimeLimit(thrown)
      return null
    })
    const bridge = () => new BridgeSession(base, settings.listTimeoutMs, context.wire)
    if (answer !== null) return bridge()
    const usual = usualPath(url)
    const atUsualPath: Way = {
      requestedAs: `as an MCP server at ${usual && hideAddressSecrets(usual)}`,
      maxMs: secondWayMs,
      open: () => mcpServer.open({ ...config, url: usual ?? url }, settings, context),
    }
    const other: Way = {
      requestedAs: 'as a bridge (GET /tools) and as a manifest',
      maxMs: secondWayMs,
      // A bridge that is still starting answers late.
      open: async () =>
        isSlow && (await askBridge(base, maxLateAskMs).catch(() => null)) !== null
          ? bridge()
          : manifestAt(url, settings.listTimeoutMs),
    }
    return openInTurn(usual === undefined ? [mcp, other] : [mcp, atUsualPath, other])
  },
}

/** Returns the URL with the usual path of an MCP server; undefined if the URL names a file. */
function usualPath(text: string): string | undefined {
  const url = new URL(text)
  if (/\.\w+$/.test(url.pathname)) return undefined
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/mcp`
  return url.href
}

/** Opens a manifest at a URL: its tools can be viewed, not called. @param timeoutMs milliseconds for each reading */
function manifestAt(url: string, timeoutMs = defaultManifestTimeoutMs): Session {
  return {
    kind: 'manifest-file',
    label: hideAddressSecrets(url),
    secrets: secretsOfAddress(url),
    async manifest(signal) {
      const read = async (stop: AbortSignal) => {
        const response = await fetchAddress(url, { signal: stop, headers: { accept: 'application/json' } })
        if (!response.ok)
          throw new AppError('source-failed', `${hideAddressSecrets(url)} answered HTTP ${response.status}`)
        return parseManifestText(await readResponseText(response, url), hideAddressSecrets(url))
      }
      return runWithLimit([signal], timeoutMs, read).catch(thrown => {
        if (!isTimeLimit(thrown)) throw thrown
        throw new AppError(
          'source-timeout',
          `${hideAddressSecrets(url)} did not answer within ${timeoutMs / 1000} s`,
        )
      })
    },
    close: async () => {},
  }
}
