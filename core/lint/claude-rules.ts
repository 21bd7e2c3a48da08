/**
 * Limits of Claude Code, and rules of the reviewers of Claude's connectors directory:
 * https://claude.com/docs/connectors/building/review-criteria
 */
import { isObject, own } from '../json/json.ts'
import { findCues } from '../text/cues.ts'
import type { Tool } from '../tool/tool.ts'
import { nodeRule, type ToolLintRule, toolRule } from './rule.ts'
import { clientDocuments } from './schema-nodes.ts'

const maxDescription = 2_048
const maxName = 64

const codeName = ({ source, name }: Tool) => `mcp__${source}__${name}`

const directory = { 'claude-directory': clientDocuments.claudeDirectory }

export const claudeRules: readonly ToolLintRule[] = [
  toolRule({
    // Some APIs behind Claude Code accept 128; references to tools and Bedrock accept 64.
    id: 'claude-code-name-length',
    title: 'The name mcp__server__tool has at most 64 characters',
    severity: 'warning',
    sources: { 'claude-code': clientDocuments.claudeCodeName },
    path: '/name',
    isFault: tool => codeName(tool).length > maxName,
    message: tool => `${codeName(tool)} has ${codeName(tool).length} characters; ${maxName} are safe`,
    remedy: 'Shorten the name of the tool or of the server.',
  }),
  toolRule({
    id: 'claude-code-description-length',
    title: 'A description has at most 2 KB: Claude Code cuts the rest off',
    severity: 'warning',
    sources: { 'claude-code': clientDocuments.claudeCode },
    path: '/description',
    isFault: ({ description = '' }) => description.length > maxDescription,
    message: ({ description = '' }) =>
      `the description has ${description.length} characters; Claude Code reads ${maxDescription}`,
    remedy: 'Put what decides the choice of the tool first, and move the rest to the parameters.',
  }),
  toolRule({
    id: 'claude-directory-title',
    title: 'Every tool has a title',
    severity: 'error',
    sources: directory,
    path: '/title',
    isFault: ({ title, annotations }) => !(title ?? annotations?.title)?.trim(),
    message: 'no title: the directory refuses the server',
    remedy: 'Add a title of a few words.',
  }),
  toolRule({
    id: 'claude-directory-hints',
    title: 'Every tool says readOnlyHint or destructiveHint',
    severity: 'error',
    sources: directory,
    path: '/annotations',
    isFault: ({ annotations }) =>
      annotations?.readOnlyHint === undefined && annotations?.destructiveHint === undefined,
    message: 'neither readOnlyHint nor destructiveHint: the directory refuses the server',
    remedy: 'Set readOnlyHint: true if it only reads, destructiveHint if it changes or deletes.',
  }),
  toolRule({
    id: 'claude-directory-name-length',
    title: 'A name has at most 64 characters',
    severity: 'error',
    sources: directory,
    path: '/name',
    isFault: ({ name }) => name.length > maxName,
    message: ({ name }) => `the name has ${name.length} characters; the directory takes ${maxName}`,
    remedy: 'Shorten the name.',
  }),
  nodeRule({
    id: 'claude-directory-methods',
    title: 'Reading and writing are separate tools, not a parameter',
    severity: 'error',
    sources: directory,
    keyword: 'enum',
    isFault: ({ schema }) => {
      const values = isObject(schema) ? own(schema, 'enum') : undefined
      const methods = Array.isArray(values)
        ? values.map(value => (typeof value === 'string' ? value.toUpperCase() : ''))
        : []
      return methods.some(each => safeMethods.has(each)) && methods.some(each => unsafeMethods.has(each))
    },
    message: 'one tool takes methods that read and methods that write: the directory refuses it',
    remedy: 'Split it: one tool that reads, one for each way to write.',
  }),
  toolRule({
    id: 'claude-directory-orders',
    title: 'A description says what the tool does, not how the model should behave',
    severity: 'warning',
    sources: directory,
    path: '/description',
    isFault: tool => orderIn(tool) !== undefined,
    message: tool => orderIn(tool) ?? '',
    remedy: 'Describe the tool. Reviewers refuse orders to the model and hidden text.',
  }),
]

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const unsafeMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

function orderIn({ description = '', name }: Tool): string | undefined {
  const cues = findCues([{ kind: 'added', text: description }], new Set(), name)
  return cues.find(({ isDangerous }) => isDangerous)?.text
}
