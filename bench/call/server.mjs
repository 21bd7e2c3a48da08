// An MCP server over stdio with one tool, which returns the number of its question after `work` milliseconds.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const definition = {
  name: 'answer',
  description: 'Answers',
  inputSchema: {
    type: 'object',
    properties: { question: { type: 'number' }, work: { type: 'number' } },
    required: ['question', 'work'],
  },
}

const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [definition] }))
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const { question, work } = params.arguments
  if (work > 0) await new Promise(done => setTimeout(done, work))
  return { content: [{ type: 'text', text: `answer to ${question}` }] }
})
await server.connect(new StdioServerTransport())
