/** An MCP server (stdio) for generated tests: one tool keeps its contract, one breaks it, and one writes. */
import { createInterface } from 'node:readline'

const readOnly = { readOnlyHint: true, openWorldHint: false }
const code = { type: 'string', minLength: 2, maxLength: 8 }
const count = { type: 'integer', minimum: 1, maximum: 50 }
const tools = [
  {
    name: 'careful',
    description: 'Returns a code. Refuses every input that its schema forbids.',
    inputSchema: { type: 'object', properties: { code }, required: ['code'], additionalProperties: false },
    outputSchema: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
    annotations: readOnly,
  },
  {
    name: 'careless',
    description: 'Lists codes. Ignores the maximum of its count, and does not say which field is wrong.',
    inputSchema: { type: 'object', properties: { code, count }, required: ['code'] },
    annotations: readOnly,
  },
  {
    name: 'rename',
    description: 'Renames a code.',
    inputSchema: { type: 'object', properties: { code }, required: ['code'] },
  },
]

const failed = text => ({ content: [{ type: 'text', text }], isError: true })
const said = structuredContent => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})
const isCode = value => typeof value === 'string' && [...value].length >= 2 && [...value].length <= 8

const calls = {
  careful(input) {
    const other = Object.keys(input).find(name => name !== 'code')
    if (other !== undefined) return failed(`Unknown field ${other}`)
    return isCode(input.code)
      ? said({ code: input.code })
      : failed('code must be a text of 2 to 8 characters')
  },
  careless({ code: given, count: wanted = 1 }) {
    if (!isCode(given) || !Number.isInteger(wanted) || wanted < 1) return failed('Something is wrong.')
    return said({ codes: [given] })
  },
  rename: ({ code: given }) => (isCode(given) ? said({ renamed: given }) : failed('code is wrong')),
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'faulty', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: input = {} }) => calls[name](input),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  const error = { code: -32601, message: `Unknown method ${method}` }
  const reply = answer === undefined ? { error } : { result: answer(params ?? {}) }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`)
}
