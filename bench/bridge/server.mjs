// A server with one tool that says which question it answers, after `work` milliseconds.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const server = new McpServer({ name: 'bench', version: '1' })
server.registerTool(
  'answer',
  { description: 'Answers', inputSchema: { question: z.number(), work: z.number() } },
  async ({ question, work }) => {
    if (work > 0) await new Promise(done => setTimeout(done, work))
    return { content: [{ type: 'text', text: `answer to ${question}` }] }
  },
)
await server.connect(new StdioServerTransport())
