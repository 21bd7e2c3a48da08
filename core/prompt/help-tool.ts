/** The tool that a compact list adds: what was left out can be asked for. */
import type { Tool } from '../tool/tool.ts'

export const helpTool: Tool = {
  ref: 'help',
  source: 'toolscope',
  index: 0,
  callable: true,
  name: 'help',
  description:
    'Gives the full description and the input schema of a tool. Use it before the first call of a tool: the other tools are listed without their schemas.',
  inputSchema: {
    type: 'object',
    properties: { tool: { type: 'string', description: 'Name of the tool.' } },
    required: ['tool'],
    additionalProperties: false,
  },
}
