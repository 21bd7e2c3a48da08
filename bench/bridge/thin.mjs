// The least that a bridge can be: node:http and the SDK's client, no checks at all. What is beyond it is ours to answer for.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [path, ...args] = process.argv.slice(2)
const client = new Client({ name: 'thin', version: '1' })
await client.connect(new StdioClientTransport({ command: process.execPath, args: [path, ...args] }))
const http = createServer(async (request, response) => {
  const { content } = await client.callTool({ name: 'answer', arguments: await json(request) })
  response.writeHead(200, { 'content-type': 'text/plain' }).end(content[0].text)
})
http.listen(0, '127.0.0.1', () => console.log(`listening ${http.address().port}`))
process.on('SIGTERM', async () => {
  await client.close()
  process.exit()
})
