import type { Recipe } from './copy-context.ts'

/** MCP's `tools/call`, as the message that a client sends. The input stays as it is written. */
export const mcpRequest: Recipe = ({ tool, input }) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool.name)},"arguments":${input}}}`
