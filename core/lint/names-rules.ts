/** Rules for the number of tools and for their names. */
import type { Tool } from '../tool/tool.ts'
import { type CatalogRule, faultIf, quoted, type ToolLintRule, toolRule } from './rule.ts'
import { clientDocuments } from './schema-nodes.ts'

const maxTools = 128

const toolCount = (rule: Pick<CatalogRule, 'id' | 'severity' | 'sources'>): CatalogRule => ({
  ...rule,
  title: 'A request has at most 128 tools',
  checkCatalog: ({ tools }) =>
    faultIf(
      tools.length > maxTools,
      '',
      `${tools.length} tools together: a request takes ${maxTools}`,
      'Choose tools for the task at hand, or serve the catalog as one scripted tool.',
    ),
})

export const openaiToolCount = toolCount({
  id: 'openai-tool-count',
  severity: 'error',
  sources: { openai: clientDocuments.openaiFunction },
})

/** A model that searches for tools does not have this limit. */
export const vscodeToolCount = toolCount({
  id: 'vscode-tool-count',
  severity: 'warning',
  sources: { vscode: clientDocuments.vscodeTools },
})

const advice = (format: string) =>
  `Rename it, or send it under a legal name as \`toolscope prompt --format ${format}\` does.`

export const nameRules: readonly ToolLintRule[] = [
  toolRule({
    id: 'openai-name',
    title: 'A name has 1 to 64 letters, digits, underscores and dashes',
    severity: 'error',
    // AIChat passes its names to the model's API unchanged, so the same pattern applies to it.
    sources: { openai: clientDocuments.openaiFunction, aichat: clientDocuments.openaiFunction },
    ...nameMatches(/^[a-zA-Z0-9_-]{1,64}$/),
    remedy: advice('openai'),
  }),
  toolRule({
    // The documentation says 64, but the API checks 128. `anthropic-name-length` covers names in between.
    id: 'anthropic-name',
    title: 'A name has 1 to 128 letters, digits, underscores and dashes',
    severity: 'error',
    sources: { anthropic: clientDocuments.anthropicName },
    ...nameMatches(/^[a-zA-Z0-9_-]{1,128}$/),
    remedy: advice('anthropic'),
  }),
  toolRule({
    // The documented pattern is ^[a-zA-Z0-9_-]{1,64}$; references to tools in results must match it.
    id: 'anthropic-name-length',
    title: 'A name is no longer than the documented 64 characters',
    severity: 'warning',
    sources: { anthropic: clientDocuments.anthropicTool },
    path: '/name',
    isFault: ({ name }) => name.length > 64 && name.length <= 128,
    message: ({ name }) => `the name has ${name.length} characters; 64 are documented`,
    remedy: 'Shorten the name.',
  }),
  toolRule({
    id: 'gemini-name',
    title: 'A name starts with a letter or underscore and has up to 64 letters, digits and _ . : -',
    severity: 'error',
    sources: { gemini: clientDocuments.geminiFunction },
    ...nameMatches(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/),
    remedy: 'Rename it: a letter first, then letters, digits, underscores, dots, colons or dashes.',
  }),
  toolRule({
    // A SHOULD of revision 2025-11-25. SEP-986 also allowed a slash; the revision does not.
    id: 'mcp-name',
    title: 'A name should have 1 to 128 letters, digits and _ - .',
    severity: 'warning',
    sources: { mcp: clientDocuments.mcpToolNames },
    path: '/name',
    isFault: ({ name }) => !/^[A-Za-z0-9_.-]{1,128}$/.test(name),
    message: ({ name }) => `the name ${quoted(name)} is outside of the advised A-Z a-z 0-9 _ - . (1 to 128)`,
    remedy: 'Rename it; clients that hand names on to a model rewrite or drop the tool otherwise.',
  }),
  toolRule({
    // The API refuses the whole request, also if the two tools come from different sources.
    id: 'name-repeated',
    title: 'No two tools of a request have the same name',
    severity: 'error',
    sources: { anthropic: clientDocuments.anthropicUnique },
    path: '/name',
    isFault: (tool, { countEarlier }) => countEarlier(tool) > 0,
    message: ({ name }) => `another tool is called ${quoted(name)} too: a request with both is refused`,
    remedy: 'Put the source before the name, or leave one of them out.',
  }),
  toolRule({
    id: 'mcp-name-repeated',
    title: 'Names should be unique within a server',
    severity: 'warning',
    sources: { mcp: clientDocuments.mcpToolNames },
    path: '/name',
    isFault: (tool, { countEarlierInSource }) => countEarlierInSource(tool) > 0,
    message: ({ name }) => `${quoted(name)} is listed more than once by this source`,
    remedy: 'Give each tool a name of its own; a call by name reaches only one of them.',
  }),
  toolRule({
    id: 'aichat-name-repeated',
    title: 'Duplicate name: only the first declaration is used',
    severity: 'warning',
    sources: { aichat: clientDocuments.aichatFunction },
    path: '/name',
    isFault: (tool, { countEarlier }) => countEarlier(tool) > 0,
    message: ({ name }) =>
      `${quoted(name)} is declared before: this one is sent to the model and never looked up`,
    remedy: 'Rename one of the two.',
  }),
]

function nameMatches(legal: RegExp) {
  return {
    path: '/name',
    isFault: ({ name }: Tool) => !legal.test(name),
    message: ({ name }: Tool) => `the name ${quoted(name)} does not match ${legal.source}`,
  }
}
