// The least that a bridge can be: node:http and the SDK's client, no checks at all. What is beyond it is ours to answer for.
import { createServer } from 'node:http'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [path, ...args] = process.argv.slice(2)
const client = new Client({ name: 'thin', version: '1' })
await client.connect(new StdioClientTransport({ command: process.execPath, args: [path, ...args] }))
const http = createServer((request, response) => {
  let body = ''
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', async () => {
    const { content } = await client.callTool({ name: 'answer', arguments: JSON.parse(body) })
    response.writeHead(200, { 'content-type': 'text/plain' }).end(content[0].text)
  })
})
http.listen(0, '127.0.0.1', () => console.log(`listening ${http.address().port}`))
process.on('SIGTERM', async () => {
  await client.close()
  process.exit()
})
