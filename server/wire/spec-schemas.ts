/** Checks messages by the schemas of MCP that its SDK contains. Loaded when a wire is read, because the SDK is large. */
import { specTypeSchemas } from '@modelcontextprotocol/client'
import { isObject } from '../../core/json/json.ts'
import type { CheckMessage } from '../../core/wire/wire-row.ts'

type SpecType = keyof typeof specTypeSchemas

/** The names of the request and of the result in the SDK, by method. */
const requests: Readonly<Record<string, readonly [request: SpecType, result?: SpecType]>> = {
  initialize: ['InitializeRequest', 'InitializeResult'],
  'server/discover': ['DiscoverRequest', 'DiscoverResult'],
  ping: ['PingRequest', 'EmptyResult'],
  'tools/list': ['ListToolsRequest', 'ListToolsResult'],
  'tools/call': ['CallToolRequest'],
  'prompts/list': ['ListPromptsRequest', 'ListPromptsResult'],
  'prompts/get': ['GetPromptRequest'],
  'resources/list': ['ListResourcesRequest', 'ListResourcesResult'],
  'resources/templates/list': ['ListResourceTemplatesRequest', 'ListResourceTemplatesResult'],
  'resources/read': ['ReadResourceRequest'],
  'resources/subscribe': ['SubscribeRequest', 'EmptyResult'],
  'resources/unsubscribe': ['UnsubscribeRequest', 'EmptyResult'],
  'completion/complete': ['CompleteRequest', 'CompleteResult'],
  'logging/setLevel': ['SetLevelRequest', 'EmptyResult'],
  'roots/list': ['ListRootsRequest', 'ListRootsResult'],
  'elicitation/create': ['ElicitRequest'],
  'sampling/createMessage': ['CreateMessageRequest'],
}

/** Results that may also be a task or a request for input, which have their own shape. */
const openResults: Readonly<Record<string, SpecType>> = {
  'tools/call': 'CallToolResult',
  'prompts/get': 'GetPromptResult',
  'resources/read': 'ReadResourceResult',
  'elicitation/create': 'ElicitResult',
  'sampling/createMessage': 'CreateMessageResultWithTools',
}

const notifications: Readonly<Record<string, SpecType>> = {
  'notifications/cancelled': 'CancelledNotification',
  'notifications/initialized': 'InitializedNotification',
  'notifications/progress': 'ProgressNotification',
  'notifications/message': 'LoggingMessageNotification',
  'notifications/tools/list_changed': 'ToolListChangedNotification',
  'notifications/prompts/list_changed': 'PromptListChangedNotification',
  'notifications/resources/list_changed': 'ResourceListChangedNotification',
  'notifications/resources/updated': 'ResourceUpdatedNotification',
  'notifications/roots/list_changed': 'RootsListChangedNotification',
}

/** Returns the first problem of a message: `result.content[0].type: …`. Unknown methods have no schema. */
export const checkSpec: CheckMessage = (rpc, method) => {
  if (rpc.kind === 'error') return undefined
  if (rpc.kind === 'result') {
    const open = openResults[method ?? '']
    const type = open ?? requests[method ?? '']?.[1]
    const isOther =
      open !== undefined &&
      isObject(rpc.result) &&
      ('task' in rpc.result || (rpc.result.resultType ?? 'complete') !== 'complete')
    return type === undefined || isOther ? undefined : describeIssue(type, rpc.result, 'result')
  }
  const type = rpc.kind === 'request' ? requests[rpc.method]?.[0] : notifications[rpc.method]
  const { method: name, params } = rpc
  return type && describeIssue(type, params === undefined ? { method: name } : { method: name, params }, '')
}

function describeIssue(type: SpecType, value: unknown, root: string): string | undefined {
  const checked = specTypeSchemas[type]['~standard'].validate(value)
  // The schemas of the SDK answer at once.
  if (checked instanceof Promise || checked.issues === undefined) return undefined
  const [issue] = checked.issues
  const steps = (issue?.path ?? []).map(step => String(typeof step === 'object' ? step.key : step))
  return `${[root, ...steps].filter(step => step !== '').join('.')}: ${issue?.message ?? 'is not valid'}`
}
