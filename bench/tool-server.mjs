// An MCP server with the given number of tools, in pages of a thousand. No two tools are the same. A call with the
// title "revise" changes every hundredth tool.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const pageSize = 1_000
const count = Number(process.argv[2])
const verbs = ['create', 'list', 'update', 'delete', 'search', 'export', 'archive', 'share']
const nouns = 'invoice ticket customer document branch report calendar message payment'.split(' ')

let revision = 0

const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
  const start = Number(params?.cursor ?? 0)
  const end = Math.min(count, start + pageSize)
  const tools = Array.from({ length: end - start }, (_, index) => makeTool(start + index))
  return { tools, ...(end < count && { nextCursor: String(end) }) }
})
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  if (params.arguments.title === 'revise') revision += 1
  return { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }
})
await server.connect(new StdioServerTransport())

function makeTool(index) {
  const verb = verbs[index % verbs.length]
  const noun = nouns[Math.floor(index / verbs.length) % nouns.length]
  return {
    name: `${verb}_${noun}_${index}`,
    description: `Does ${verb} with one ${noun} of workspace ${index % 97}, and says what changed.${index % 100 === 0 ? ' Again.'.repeat(revision) : ''}`,
    inputSchema: {
      type: 'object',
      properties: {
        title: { type: 'string', description: `Title of the ${noun}`, minLength: 1 },
        count: { type: 'integer', minimum: 0, maximum: 1_000, default: 10 },
        state: { type: 'string', enum: ['open', 'closed', 'waiting'] },
        urgent: { type: 'boolean', description: 'Answer before the others' },
        labels: { type: 'array', items: { type: 'string' }, maxItems: 20 },
        owner: {
          type: 'object',
          properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' } },
          required: ['name'],
        },
      },
      required: ['title', 'owner'],
    },
  }
}
