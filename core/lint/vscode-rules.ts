/** How VS Code handles the tools of an MCP server: https://code.visualstudio.com/api/extension-guides/ai/mcp */
import { isObject, own } from '../json/json.ts'
import { jsonTypeNames } from '../schema/type-words.ts'
import { nodeRule, quoted, type ToolLintRule, toolRule } from './rule.ts'
import { clientDocuments, type SchemaNode } from './schema-nodes.ts'

export const vscodeRules: readonly ToolLintRule[] = [
  toolRule({
    id: 'vscode-name',
    title: 'A name has only letters, digits, underscores and dashes',
    severity: 'warning',
    sources: { vscode: clientDocuments.vscodeServer },
    path: '/name',
    isFault: ({ name }) => /[^a-z0-9_-]/i.test(name),
    message: ({ name }) => `VS Code replaces characters of ${quoted(name)} by _`,
    remedy: 'Rename it, so that people and logs see one name.',
  }),
  nodeRule({
    // VS Code then leaves the tool out of the list.
    id: 'vscode-draft-07',
    title: 'An input schema is valid as draft-07',
    severity: 'error',
    sources: { vscode: clientDocuments.vscodeServer },
    isFault: node => draft07Fault(node) !== undefined,
    message: node => `${draft07Fault(node)}: VS Code leaves the tool out`,
    remedy:
      'Write the keyword as draft-07 has it: a number for exclusiveMinimum, a list of names for required.',
  }),
  toolRule({
    id: 'vscode-read-only',
    title: 'A tool says whether it only reads: VS Code asks before every other',
    severity: 'info',
    sources: { vscode: clientDocuments.vscodeGuide },
    path: '/annotations/readOnlyHint',
    isFault: ({ annotations }) => annotations?.readOnlyHint === undefined,
    message: 'no readOnlyHint: VS Code asks before each call',
    remedy: 'Set annotations.readOnlyHint: true if the tool changes nothing, else false.',
  }),
  toolRule({
    id: 'vscode-title',
    title: 'A tool has a title: the chat shows it when the tool runs',
    severity: 'info',
    sources: { vscode: clientDocuments.vscodeGuide },
    path: '/title',
    isFault: ({ title, annotations }) => !(title ?? annotations?.title)?.trim(),
    message: 'no title: the chat shows the name',
    remedy: 'Add a title of a few words.',
  }),
]

const typeNames = new Set<unknown>(jsonTypeNames)

/** Returns the first common mistake that the meta-schema of draft-07 refuses. */
function draft07Fault({ schema }: SchemaNode): string | undefined {
  if (!isObject(schema)) return undefined
  const type = own(schema, 'type')
  const unknownType = [type].flat().find(each => each !== undefined && !typeNames.has(each))
  if (unknownType !== undefined)
    return `${typeof unknownType === 'string' ? quoted(unknownType) : 'what type says'} is not a type`
  for (const keyword of ['exclusiveMinimum', 'exclusiveMaximum'])
    if (typeof own(schema, keyword) === 'boolean') return `${keyword} is true or false, as in draft-04`
  const required = own(schema, 'required')
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every(each => typeof each === 'string'))
  )
    return 'required is not a list of names'
  const values = own(schema, 'enum')
  return values !== undefined && !Array.isArray(values) ? 'enum is not a list' : undefined
}
