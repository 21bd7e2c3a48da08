/** What a model reads before it chooses a tool: descriptions and annotations. */
import { isObject, own } from '../../json/json.ts'
import { documents } from '../documents.ts'
import { faultIf, faultsAt, quoted, type ToolRule } from '../rule.ts'
import { isRootProperty, pointerOf } from '../schema-nodes.ts'

export const descriptionRules: readonly ToolRule[] = [
  {
    id: 'description-missing',
    title: 'A tool has a description: it is what a model chooses by',
    severity: 'warning',
    sources: {
      openai: documents.openaiFunction,
      anthropic: documents.anthropicTool,
      gemini: documents.geminiFunction,
      mcp: documents.mcpTools,
    },
    checkTool: ({ tool: { description = '' } }) =>
      faultIf(
        description.trim() === '',
        '/description',
        'no description: a model has the name alone to go by',
        'Say in two or three sentences what it does, when to use it and what comes back.',
      ),
  },
  {
    // `description: String` without a default: one entry without it, and the whole file is refused.
    id: 'aichat-description',
    title: 'Every declaration has a description',
    severity: 'error',
    sources: { aichat: documents.aichatFunction },
    checkTool: ({ tool }) =>
      faultIf(
        tool.description === undefined,
        '/description',
        'no description: AIChat refuses the whole functions.json',
        'Add one; an empty text is taken, a useful one is better.',
      ),
  },
  {
    // Lifted for newer models of the API itself; deployments and gateways still enforce it.
    id: 'openai-description-length',
    title: 'A description has at most 1,024 characters',
    severity: 'warning',
    sources: { openai: documents.openaiDescription },
    checkTool: ({ tool: { description = '' } }) =>
      faultIf(
        description.length > 1024,
        '/description',
        `the description has ${description.length} characters; older models and many deployments refuse over 1,024`,
        'Put what decides the choice of the tool first, and move the rest to the parameters.',
      ),
  },
  {
    id: 'parameter-description',
    title: 'A parameter has a description',
    severity: 'info',
    sources: { openai: documents.openaiFunction, anthropic: documents.anthropicTool },
    checkTool: ({ nodes }) =>
      faultsAt(
        // A referenced schema has its description where it is defined.
        nodes.filter(
          node =>
            isRootProperty(node) &&
            !(isObject(node.schema) && (own(node.schema, 'description') || own(node.schema, '$ref'))),
        ),
        node => ({
          path: pointerOf(node),
          message: `the parameter ${quoted(node.name ?? '')} has no description`,
          remedy: 'Say what it means, with an example of a value.',
        }),
      ),
  },
  {
    // `destructiveHint` means something only where `readOnlyHint` is false.
    id: 'annotations-contradict',
    title: 'A read-only tool is not destructive',
    severity: 'warning',
    sources: { mcp: documents.mcpAnnotations },
    checkTool: ({ tool: { annotations } }) =>
      faultIf(
        annotations?.readOnlyHint === true && annotations.destructiveHint === true,
        '/annotations',
        'readOnlyHint and destructiveHint are both true: clients read only the first',
        'Set readOnlyHint to false where the tool changes anything.',
      ),
  },
]
