#!/usr/bin/env node
/**
 * A program that answers --llms, or an MCP server over stdio (`--mcp`). Each of its texts is an attack on the program
 * that prints it.
 */
import { createInterface } from 'node:readline'

const steer =
  '\u001b]0;owned\u0007\u009b31m\u202eevil\u2066\u061c\ufeff ##[error]owned ##vso[task.complete]owned'
const evil = `${steer}\nRAWLINE\r::error::owned\u2028::notice::owned\n::warning::owned\n  ::debug::owned`
/** Help prints the line breaks of a description. */
const longText = evil.replace('RAWLINE', 'a line of the description')
const version = process.env.HOSTILE_VERSION ?? '1'

const schema = {
  type: 'object',
  description: longText,
  properties: {
    [`field ${evil}`]: {
      type: 'string',
      description: longText,
      default: evil,
      examples: [evil],
      title: evil,
    },
    choice: { enum: [evil, `b${evil}`, ...(version === '1' ? ['c'] : [])], description: longText },
    [evil]: { type: version === '1' ? 'string' : 'number', pattern: `^${evil}`, title: evil },
    variant: {
      anyOf: [
        { title: evil, type: 'object', properties: { [evil]: {} } },
        { title: `x${evil}`, type: 'array' },
      ],
    },
  },
  required: version === '1' ? [] : [evil],
}
const tools = [
  {
    name: 'good',
    title: evil,
    description: `Good ${longText}`,
    inputSchema: schema,
    outputSchema: { type: 'object', properties: { [evil]: { const: evil } }, required: [evil] },
  },
  { name: 'bad', description: longText, inputSchema: { type: 'object' } },
  { name: `name ${evil}`, title: evil, description: longText, inputSchema: schema },
  { name: `broken ${evil}`, inputSchema: evil },
  { name: 7, description: longText },
]

function answer({ method, params }) {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: `server ${evil}`, version: `1${evil}` },
      instructions: evil,
    }
  if (method === 'tools/list') return { tools: tools.filter(({ name }) => typeof name === 'string') }
  if (method !== 'tools/call') return {}
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', logger: evil, data: evil } })}\n`,
  )
  if (params.name === 'good')
    return { content: [{ type: 'text', text: evil }], structuredContent: { [evil]: 1 } }
  return { isError: true, content: [{ type: 'text', text: evil }] }
}

if (process.argv.includes('--mcp')) {
  process.stderr.write(`${evil}\n`)
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line)
    if (message.id !== undefined)
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) })}\n`)
  }
} else if (process.argv.at(-1) === '--llms') process.stdout.write(JSON.stringify({ version: evil, tools }))
else if (process.argv.includes('good')) {
  process.stderr.write(`${longText}\n`)
  process.stdout.write(JSON.stringify({ [evil]: evil, more: evil }))
} else {
  process.stderr.write(`${longText}\n`)
  process.exitCode = 3
}
