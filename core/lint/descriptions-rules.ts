/** Rules for descriptions and annotations, which a model reads before it chooses a tool. */
import { isObject, own } from '../json/json.ts'
import { nodeRule, quoted, type ToolLintRule, toolRule } from './rule.ts'
import { clientDocuments, isRootProperty } from './schema-nodes.ts'

export const descriptionRules: readonly ToolLintRule[] = [
  toolRule({
    id: 'description-missing',
    title: 'A tool has a description: it is what a model chooses by',
    severity: 'warning',
    sources: {
      openai: clientDocuments.openaiFunction,
      anthropic: clientDocuments.anthropicTool,
      gemini: clientDocuments.geminiFunction,
      mcp: clientDocuments.mcpTools,
      vscode: clientDocuments.vscodeServer,
    },
    path: '/description',
    isFault: ({ description = '' }) => description.trim() === '',
    message: 'no description: the model sees only the name',
    remedy: 'Say in two or three sentences what it does, when to use it and what comes back.',
  }),
  toolRule({
    // AIChat's struct has `description: String` without a default, so one entry without it makes AIChat refuse the
    // whole file.
    id: 'aichat-description',
    title: 'Every declaration has a description',
    severity: 'error',
    sources: { aichat: clientDocuments.aichatFunction },
    path: '/description',
    isFault: ({ description }) => description === undefined,
    message: 'no description: AIChat refuses the whole functions.json',
    remedy: 'Add a description. An empty one is accepted, but does not help a model.',
  }),
  toolRule({
    // The API itself has no such limit for newer models; deployments and gateways still enforce it.
    id: 'openai-description-length',
    title: 'A description has at most 1,024 characters',
    severity: 'warning',
    sources: { openai: clientDocuments.openaiDescription },
    path: '/description',
    isFault: ({ description = '' }) => description.length > 1024,
    message: ({ description = '' }) =>
      `the description has ${description.length} characters; older models and many deployments refuse over 1,024`,
    remedy: 'Put what decides the choice of the tool first, and move the rest to the parameters.',
  }),
  nodeRule({
    id: 'parameter-description',
    title: 'A parameter has a description',
    severity: 'info',
    sources: { openai: clientDocuments.openaiFunction, anthropic: clientDocuments.anthropicTool },
    // A referenced schema has its description in its definition.
    isFault: node =>
      isRootProperty(node) &&
      !(isObject(node.schema) && (own(node.schema, 'description') || own(node.schema, '$ref'))),
    message: ({ name = '' }) => `the parameter ${quoted(name)} has no description`,
    remedy: 'Say what it means, with an example of a value.',
  }),
  toolRule({
    // `destructiveHint` has a meaning only if `readOnlyHint` is false.
    id: 'annotations-contradict',
    title: 'A read-only tool is not destructive',
    severity: 'warning',
    sources: { mcp: clientDocuments.mcpAnnotations },
    path: '/annotations',
    isFault: ({ annotations }) => annotations?.readOnlyHint === true && annotations.destructiveHint === true,
    message: 'readOnlyHint and destructiveHint are both true: clients read only the first',
    remedy: 'Set readOnlyHint to false if the tool changes anything.',
  }),
]
