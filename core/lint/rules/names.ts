/** How many tools, and what they are called. */
import { documents } from '../documents.ts'
import { type CatalogRule, faultIf, quoted, type ToolRule } from '../rule.ts'

const maxOpenaiTools = 128

export const openaiToolCount: CatalogRule = {
  id: 'openai-tool-count',
  title: 'A request has at most 128 tools',
  severity: 'error',
  sources: { openai: documents.openaiFunction },
  checkCatalog: ({ tools }) =>
    faultIf(
      tools.length > maxOpenaiTools,
      '',
      `${tools.length} tools together: a request takes ${maxOpenaiTools}`,
      'Choose tools for the task at hand, or serve the catalog as one scripted tool.',
    ),
}

const advice = (format: string) =>
  `Rename it, or send it under a legal name as \`toolscope prompt --format ${format}\` does.`

export const nameRules: readonly ToolRule[] = [
  {
    id: 'openai-name',
    title: 'A name has 1 to 64 letters, digits, underscores and dashes',
    severity: 'error',
    // AIChat passes its names to the model's API unchanged, so the same pattern applies to it.
    sources: { openai: documents.openaiFunction, aichat: documents.openaiFunction },
    checkTool: nameMatches(/^[a-zA-Z0-9_-]{1,64}$/, advice('openai')),
  },
  {
    // The documentation says 64; the API checks against 128. Names between the two are `anthropic-name-length`.
    id: 'anthropic-name',
    title: 'A name has 1 to 128 letters, digits, underscores and dashes',
    severity: 'error',
    sources: { anthropic: documents.anthropicName },
    checkTool: nameMatches(/^[a-zA-Z0-9_-]{1,128}$/, advice('anthropic')),
  },
  {
    // Documented as ^[a-zA-Z0-9_-]{1,64}$; references to tools in results must match it.
    id: 'anthropic-name-length',
    title: 'A name is no longer than the documented 64 characters',
    severity: 'warning',
    sources: { anthropic: documents.anthropicTool },
    checkTool: ({ tool: { name } }) =>
      faultIf(
        name.length > 64 && name.length <= 128,
        '/name',
        `the name has ${name.length} characters; 64 are documented`,
        'Shorten the name.',
      ),
  },
  {
    id: 'gemini-name',
    title: 'A name starts with a letter or underscore and has up to 64 letters, digits and _ . : -',
    severity: 'error',
    sources: { gemini: documents.geminiFunction },
    checkTool: nameMatches(
      /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
      'Rename it: a letter first, then letters, digits, underscores, dots, colons or dashes.',
    ),
  },
  {
    // A SHOULD of revision 2025-11-25. SEP-986 allowed a slash too; the revision itself does not.
    id: 'mcp-name',
    title: 'A name should have 1 to 128 letters, digits and _ - .',
    severity: 'warning',
    sources: { mcp: documents.mcpToolNames },
    checkTool: ({ tool: { name } }) =>
      faultIf(
        !/^[A-Za-z0-9_.-]{1,128}$/.test(name),
        '/name',
        `the name ${quoted(name)} is outside of the advised A-Z a-z 0-9 _ - . (1 to 128)`,
        'Rename it; clients that hand names on to a model rewrite or drop the tool otherwise.',
      ),
  },
  {
    // The whole request is refused, across all the sources that a client combines.
    id: 'name-repeated',
    title: 'No two tools of a request have the same name',
    severity: 'error',
    sources: { anthropic: documents.anthropicUnique },
    checkTool: ({ tool }, { countEarlier }) =>
      faultIf(
        countEarlier(tool) > 0,
        '/name',
        `another tool is called ${quoted(tool.name)} too: a request with both is refused`,
        'Put the source before the name, or leave one of them out.',
      ),
  },
  {
    id: 'mcp-name-repeated',
    title: 'Names should be unique within a server',
    severity: 'warning',
    sources: { mcp: documents.mcpToolNames },
    checkTool: ({ tool }, { countEarlierInSource }) =>
      faultIf(
        countEarlierInSource(tool) > 0,
        '/name',
        `${quoted(tool.name)} stands in this source's list more than once`,
        'Give each tool a name of its own; a call by name reaches only one of them.',
      ),
  },
  {
    id: 'aichat-name-repeated',
    title: 'Of two declarations with the same name the first one is used',
    severity: 'warning',
    sources: { aichat: documents.aichatFunction },
    checkTool: ({ tool }, { countEarlier }) =>
      faultIf(
        countEarlier(tool) > 0,
        '/name',
        `${quoted(tool.name)} is declared before: this one is sent to the model and never looked up`,
        'Rename one of the two.',
      ),
  },
]

function nameMatches(legal: RegExp, remedy: string): ToolRule['checkTool'] {
  return ({ tool: { name } }) =>
    faultIf(!legal.test(name), '/name', `the name ${quoted(name)} does not match ${legal.source}`, remedy)
}
