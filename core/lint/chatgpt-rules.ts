/**
 * Requirements for apps for ChatGPT: https://developers.openai.com/apps-sdk/reference and
 * https://developers.openai.com/apps-sdk/app-submission-guidelines
 */
import { isObject, own } from '../json/json.ts'
import { isSecretName } from '../tool/is-secret.ts'
import type { Tool } from '../tool/tool.ts'
import { nodeRule, quoted, type ToolLintRule, toolRule } from './rule.ts'
import { clientDocuments, isRootProperty } from './schema-nodes.ts'

const reference = { chatgpt: clientDocuments.chatgptReference }
const hints = ['readOnlyHint', 'destructiveHint', 'openWorldHint'] as const

export const chatgptRules: readonly ToolLintRule[] = [
  toolRule({
    id: 'chatgpt-hints',
    title: 'Every tool says readOnlyHint, destructiveHint and openWorldHint',
    severity: 'error',
    sources: { chatgpt: clientDocuments.chatgptReview },
    path: '/annotations',
    isFault: tool => missingHints(tool).length > 0,
    message: tool => `no ${missingHints(tool).join(', ')}: the review refuses the app`,
    remedy: 'Set each of the three to true or false.',
  }),
  nodeRule({
    id: 'chatgpt-secret-input',
    title: 'No parameter asks for a password, an API key or a code',
    severity: 'error',
    sources: { chatgpt: clientDocuments.chatgptReview },
    isFault: node => isRootProperty(node) && isSecretName(node.name ?? ''),
    message: ({ name = '' }) => `the parameter ${quoted(name)} asks for a secret: the review refuses the app`,
    remedy: 'Let people sign in by OAuth; keep secrets out of the conversation.',
  }),
  toolRule({
    id: 'chatgpt-status-length',
    title: 'The texts shown while a tool runs have at most 64 characters',
    severity: 'warning',
    sources: reference,
    path: '/_meta',
    isFault: tool => statusTexts(tool).some(text => text.length > maxStatus),
    message: tool =>
      `openai/toolInvocation has a text of ${Math.max(...statusTexts(tool).map(({ length }) => length))} characters; at most ${maxStatus} are accepted`,
    remedy: 'Say it in a few words: "Searching…".',
  }),
  toolRule({
    id: 'chatgpt-template',
    title: 'The template of a tool’s output is a ui:// resource',
    severity: 'error',
    sources: reference,
    path: '/_meta',
    isFault: tool => templates(tool).some(uri => !uri.startsWith('ui://')),
    message: tool =>
      `${quoted(templates(tool).find(uri => !uri.startsWith('ui://')) ?? '')} is not a ui:// resource: nothing is shown`,
    remedy: 'Name a resource of this server that begins with ui://.',
  }),
  toolRule({
    // Applies only to these two tools, and only for deep research and company knowledge.
    id: 'chatgpt-search',
    title: 'The tool search takes one string, query; the tool fetch takes one string, id',
    severity: 'info',
    sources: { chatgpt: clientDocuments.chatgptSearch },
    path: '/inputSchema',
    isFault: ({ name, inputSchema }) => {
      const parameter = searchParameters.get(name)
      return parameter !== undefined && !takesOnly(inputSchema, parameter)
    },
    message: ({ name }) =>
      `${name} does not take the one string ${searchParameters.get(name)}: deep research cannot use it`,
    remedy: 'Require that one parameter, of type string, and no other.',
  }),
]

const maxStatus = 64
const searchParameters = new Map([
  ['search', 'query'],
  ['fetch', 'id'],
])

const missingHints = ({ annotations }: Tool) => hints.filter(hint => typeof annotations?.[hint] !== 'boolean')

const isText = (value: unknown): value is string => typeof value === 'string'

function readMeta({ extra }: Tool) {
  const meta = extra?._meta
  return isObject(meta) ? meta : {}
}

const statusTexts = (tool: Tool) =>
  ['openai/toolInvocation/invoking', 'openai/toolInvocation/invoked']
    .map(key => own(readMeta(tool), key))
    .filter(isText)

function templates(tool: Tool): readonly string[] {
  const meta = readMeta(tool)
  const ui = own(meta, 'ui')
  return [own(meta, 'openai/outputTemplate'), isObject(ui) ? own(ui, 'resourceUri') : undefined].filter(
    isText,
  )
}

function takesOnly(schema: Tool['inputSchema'], name: string): boolean {
  const properties = isObject(schema) ? own(schema, 'properties') : undefined
  const property = isObject(properties) ? own(properties, name) : undefined
  const required = isObject(schema) ? own(schema, 'required') : undefined
  return (
    isObject(property) &&
    own(property, 'type') === 'string' &&
    (!Array.isArray(required) || required.every(each => each === name))
  )
}
