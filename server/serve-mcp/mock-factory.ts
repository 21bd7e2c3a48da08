/** The definition of an MCP server whose tools do not run: it answers with values of their output schemas. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { loadCompatFor } from '../../core/compat/is-subschema.ts'
import { isObject, type Json, type JsonObject, own } from '../../core/json/json.ts'
import { mockAnswer } from '../../core/mock/mock-answer.ts'
import { callerSchema } from '../../core/schema/caller-schema.ts'
import type { JsonSchema, Tool } from '../../core/tool/tool.ts'
import { pseudoRandom } from '../../core/validation/random.ts'
import { issueSentence } from '../../core/validation/read-issues.ts'
import { loadMatchersFor } from '../../core/validation/safe-pattern.ts'
import { createSchemaValidator } from '../../core/validation/schema-validator.ts'
import { callKey } from '../../core/wire/replay-key.ts'
import { readRpc } from '../../core/wire/wire-message.ts'
import { version } from '../process/version.ts'
import type { RecordingIndex } from '../replay/recording-index.ts'
import type { ReplayOrder } from '../replay/replay-order.ts'
import { cutPage, type McpFactory } from './mcp-factory.ts'
import { type ServedTool, servedTools } from './served-tools.ts'

export interface MockServerOptions {
  readonly seed?: number | undefined
  /** The share of calls that fail, from 0 to 1. */
  readonly failShare: number
  /** Milliseconds before an answer, at least and at most. */
  readonly latencyMs: readonly [least: number, most: number]
  /** Its answers take precedence. */
  readonly recording?: { readonly index: RecordingIndex; readonly order: ReplayOrder } | undefined
  /** Returns the expected results of the saved examples of a tool. */
  readonly saved: (tool: Tool) => Promise<readonly Json[]>
}

/** @param tools of any source; nothing of it is called */
export function mockFactory(tools: readonly Tool[], options: MockServerOptions): McpFactory {
  const callable = tools.map(tool => ({ ...tool, callable: true }))
  const served = servedTools(callable, { agents: 'all', agentToolsOnly: false })
  const byName = new Map(served.map(tool => [tool.entry.name, tool]))
  const random = pseudoRandom(options.seed ?? 1)
  const build = () => {
    const server = new Server({ name: 'toolscope-mock', version }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', async ({ params }) => {
      const { page, nextCursor } = cutPage(served, params?.cursor)
      // The shape was checked entry by entry; the SDK's type cannot express "any JSON Schema".
      const entries = page.map(({ entry }) => entry) as never[]
      return { tools: entries, ...(nextCursor !== undefined && { nextCursor }) }
    })
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = byName.get(params.name)
      if (tool === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
      const [least, most] = options.latencyMs
      const waitMs = least + random() * (most - least)
      if (waitMs >= 1) await setTimeoutPromise(waitMs, undefined, { signal: mcpReq.signal })
      const fails = random() < options.failShare
      return (await answer(tool, (params.arguments ?? {}) as JsonObject, fails, options)) as CallToolResult
    })
    return server
  }
  return { build, buildConnection: build, onToolsChanged: () => () => {} }
}

async function answer(
  { tool, typed }: ServedTool,
  input: JsonObject,
  fails: boolean,
  options: MockServerOptions,
): Promise<object> {
  const inputSchema = callerSchema(tool.inputSchema) as JsonSchema
  await Promise.all([
    loadMatchersFor(JSON.stringify([inputSchema, tool.outputSchema])),
    loadCompatFor(inputSchema, tool.outputSchema),
  ])
  const { verdict, issues } = createSchemaValidator(inputSchema)(input)
  if (verdict === 'invalid') {
    const sentences = issues.slice(0, 5).map(issue => issueSentence(issue))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Invalid arguments for tool ${tool.name}: ${sentences.join('; ')}`,
    )
  }
  if (fails)
    return { content: [text(`The mock lets this call of ${tool.name} fail (--fail).`)], isError: true }
  const recorded = options.recording && (await recordedResult(options.recording, tool.name, input))
  if (recorded !== undefined) return recorded
  const made = mockAnswer(tool, input, { seed: options.seed, saved: await options.saved(tool) })
  if (made.problem !== undefined) return { content: [text(made.problem)], isError: true }
  const isStructured = typed && isObject(made.value)
  return { content: [text(made.text)], ...(isStructured && { structuredContent: made.value }) }
}

const text = (words: string) => ({ type: 'text', text: words }) as const

/** Returns the recorded answer of a call of an MCP server; undefined if the recording has no such call. */
async function recordedResult(
  { index, order }: NonNullable<MockServerOptions['recording']>,
  tool: string,
  input: JsonObject,
): Promise<object | undefined> {
  const found = await order.choose(callKey(tool, input))
  if ('problem' in found) return undefined
  for await (const { direction, text: message } of index.script(found.request)) {
    const rpc = direction === 'received' ? readRpc(message) : undefined
    if (rpc?.kind === 'result' && isObject(rpc.result)) return rpc.result
    if (rpc?.kind !== 'error' || !isObject(rpc.error)) continue
    const [code, words] = [own(rpc.error, 'code'), own(rpc.error, 'message')]
    throw new ProtocolError(Number(code), String(words), own(rpc.error, 'data'))
  }
  return undefined
}
