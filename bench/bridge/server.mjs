// A server with the one tool, on the line of the SDK that most published servers use. `--http` serves Streamable HTTP
// with sessions, `--modern` the stateless protocol of the second line, `--plain` no MCP at all: only the round trip.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { createAdaptorServer } from '@hono/node-server'
import { Server as OldServer } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'

// It says which question it answers, after `work` milliseconds.
const definition = {
  name: 'answer',
  description: 'Answers',
  inputSchema: {
    type: 'object',
    properties: { question: { type: 'number' }, work: { type: 'number' } },
    required: ['question', 'work'],
  },
}

async function answer({ question, work }) {
  if (work > 0) await new Promise(done => setTimeout(done, work))
  return { content: [{ type: 'text', text: `answer to ${question}` }] }
}

const info = { name: 'bench', version: '1' }
const capabilities = { capabilities: { tools: {} } }

function oldServer() {
  const server = new OldServer(info, capabilities)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [definition] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => answer(params.arguments))
  return server
}

function newServer() {
  const server = new Server(info, capabilities)
  server.setRequestHandler('tools/list', () => ({ tools: [definition] }))
  server.setRequestHandler('tools/call', ({ params }) => answer(params.arguments))
  return server
}

const servers = { '--http': oldHttp, '--modern': newHttp, '--plain': plainHttp }
const start = servers[process.argv[2]]
if (start === undefined) await oldServer().connect(new StdioServerTransport())
else {
  const http = start()
  process.once('disconnect', () => process.exit())
  http.listen(0, '127.0.0.1', () => console.log(`listening ${http.address().port}`))
}

function oldHttp() {
  const sessions = new Map()
  return createServer(async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id'])
    if (known !== undefined) return known.handleRequest(request, response)
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => sessions.set(id, transport),
    })
    await oldServer().connect(transport)
    await transport.handleRequest(request, response)
  })
}

function newHttp() {
  const handler = createMcpHandler(newServer)
  return createAdaptorServer({ fetch: request => handler.fetch(request), createServer })
}

function plainHttp() {
  return createServer(async (request, response) => {
    const { content } = await answer(await json(request))
    response.writeHead(200, { 'content-type': 'text/plain' }).end(content[0].text)
  })
}
