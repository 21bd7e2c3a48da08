import { listWords } from '../text/wording.ts'

/**
 * The documented formats of a manifest, in the order in which texts name them. This is the only list: errors, the page
 * and the table of docs/sources.md derive theirs from it, and `readManifest` has a reader for each.
 */
export const manifestFormats = {
  '--llms manifest': 'what a program prints for `--llms`: `{"tools": [{"name": "help", …}, …]}`',
  'MCP tools/list': '`{"tools": [{"name", "inputSchema"}]}`, its `tools` only, or the whole JSON-RPC answer',
  'functions.json': 'llm-functions: `[{"name", "description", "parameters"}]`',
  'bridge /tools': 'what a bridge answers to `GET /tools`: declarations with `mcp`',
  incur: '`{"version": "incur.v1", "commands": […]}`',
  'OpenAI tools': '`[{"type": "function", "function": {…}}]`, and the flat form of the Responses API',
  'Anthropic tools': '`[{"name", "input_schema"}]`',
  'Gemini functionDeclarations':
    '`[{"functionDeclarations": [{"name", "parameters" or "parametersJsonSchema"}]}]`, or the declarations only; keys with underscores too',
  'Bedrock toolConfig': '`{"toolConfig": {"tools": [{"toolSpec": {"name", "inputSchema": {"json": …}}}]}}`',
  'MCPB manifest':
    'the `manifest.json` of a bundle (`.mcpb`, `.dxt`): names and descriptions, without inputs',
} as const

export type ManifestFormat = keyof typeof manifestFormats

/** The names of all formats: `--llms manifest, MCP tools/list, … or MCPB manifest`. */
export const manifestFormatWords = listWords(Object.keys(manifestFormats))
