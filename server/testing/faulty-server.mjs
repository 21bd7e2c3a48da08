/**
 * An MCP server in which each tool has one fault, and its twin without them: `faulty-server.mjs [--fixed] [--http]`. Over
 * HTTP it prints its address and has only the tool with the faults of HTTP. It validates with Ajv, so that what it refuses
 * does not depend on Toolscope's validator.
 */
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const isFixed = process.argv.includes('--fixed')
const isHttp = process.argv.includes('--http')
const ajv = new Ajv2020({ strict: false, allErrors: false })
addFormats.default(ajv)

const object = (properties, more = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
})
const number = { type: 'integer', minimum: 1, maximum: 9 }
const text = { type: 'string', minLength: 2, maxLength: 12 }

/** The schema that the faulty tool enforces, by the keyword that it ignores. */
const ignoring = {
  type: [object({ size: { type: 'integer' } }), object({ size: {} })],
  enum: [object({ size: { enum: ['s', 'm'] } }), object({ size: { type: 'string' } })],
  const: [object({ kind: { const: 'a' } }), object({ kind: { type: 'string' } })],
  minimum: [object({ size: number }), object({ size: { type: 'integer', maximum: 9 } })],
  maximum: [object({ size: number }), object({ size: { type: 'integer', minimum: 1 } })],
  exclusiveMinimum: [
    object({ size: { type: 'number', exclusiveMinimum: 0 } }),
    object({ size: { type: 'number', minimum: 0 } }),
  ],
  exclusiveMaximum: [
    object({ size: { type: 'number', exclusiveMaximum: 5 } }),
    object({ size: { type: 'number', maximum: 5 } }),
  ],
  multipleOf: [object({ size: { type: 'integer', multipleOf: 4 } }), object({ size: { type: 'integer' } })],
  minLength: [object({ name: text }), object({ name: { type: 'string', maxLength: 12 } })],
  maxLength: [object({ name: text }), object({ name: { type: 'string', minLength: 2 } })],
  pattern: [
    object({ name: { type: 'string', pattern: '^[a-z]+-[0-9]{2}$' } }),
    object({ name: { type: 'string' } }),
  ],
  format: [object({ mail: { type: 'string', format: 'email' } }), object({ mail: { type: 'string' } })],
  minItems: [
    object({ list: { type: 'array', minItems: 2, items: number } }),
    object({ list: { type: 'array', items: number } }),
  ],
  maxItems: [
    object({ list: { type: 'array', maxItems: 3, items: number } }),
    object({ list: { type: 'array', items: number } }),
  ],
  uniqueItems: [
    object({ list: { type: 'array', uniqueItems: true, items: number } }),
    object({ list: { type: 'array', items: number } }),
  ],
  contains: [
    object({ list: { type: 'array', contains: { const: 3 }, items: number } }),
    object({ list: { type: 'array', items: number } }),
  ],
  minProperties: [
    object({ map: { type: 'object', minProperties: 1, additionalProperties: number } }),
    object({ map: { type: 'object', additionalProperties: number } }),
  ],
  maxProperties: [
    object({ map: { type: 'object', maxProperties: 2, additionalProperties: number } }),
    object({ map: { type: 'object', additionalProperties: number } }),
  ],
  propertyNames: [
    object({ map: { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: number } }),
    object({ map: { type: 'object', additionalProperties: number } }),
  ],
  required: [
    object({ size: number, name: text }),
    { ...object({ size: number, name: text }), required: ['size'] },
  ],
  dependentRequired: [
    { type: 'object', properties: { from: number, to: number }, dependentRequired: { from: ['to'] } },
    { type: 'object', properties: { from: number, to: number } },
  ],
  additionalProperties: [object({ size: number }, { additionalProperties: false }), object({ size: number })],
  anyOf: [object({ id: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }), object({ id: {} })],
  oneOf: [
    object({ by: { oneOf: [object({ id: number }), object({ name: text })] } }),
    object({ by: { anyOf: [object({ id: number }), object({ name: text })] } }),
  ],
  not: [object({ name: { type: 'string', not: { const: 'root' } } }), object({ name: { type: 'string' } })],
  'maximum in a list': [
    object({ list: { type: 'array', items: object({ size: number }) } }),
    object({ list: { type: 'array', items: object({ size: { type: 'integer', minimum: 1 } }) } }),
  ],
  'required after a condition': [
    {
      ...object({ mode: { enum: ['auto', 'by hand'] } }),
      if: { properties: { mode: { const: 'by hand' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['hand'], properties: { hand: text } },
    },
    object({ mode: { enum: ['auto', 'by hand'] } }),
  ],
}

let calls = 0
function endAtThirdCall() {
  calls += 1
  if (calls % 3 === 0) process.exit(3)
}

const plain = object({ size: number, name: text }, { additionalProperties: false })
const counts = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }

/** Tools with faults of other kinds. `forbidden` and `allowed` answer instead of the tool, or return undefined. */
const others = {
  'crash at a forbidden input': { schema: plain, forbidden: () => process.exit(3) },
  'crash at the longest text': {
    schema: plain,
    allowed: ({ name }) => (name.length === 12 ? process.exit(3) : undefined),
  },
  'crash at unicode': {
    schema: object({ query: { type: 'string' } }),
    allowed: ({ query }) => (/[^ -~]/.test(query) ? process.kill(process.pid, 'SIGKILL') : undefined),
  },
  'hang at a forbidden input': { schema: plain, forbidden: () => silence },
  'busy at a listed value': {
    schema: object({ mode: { enum: ['fast', 'slow'] } }),
    allowed({ mode }) {
      while (mode === 'slow');
    },
  },
  'output of another type': {
    schema: object({ size: number }),
    output: counts,
    allowed: ({ size }) => result({ count: size === 9 ? 'nine' : size }),
  },
  'output without a required field': {
    schema: { type: 'object', properties: { deep: { type: 'boolean' } } },
    output: counts,
    allowed: ({ deep }) => result(deep === true ? {} : { count: 1 }),
  },
  'stack trace of JavaScript': {
    schema: plain,
    forbidden: message => failure(`${message}\n    at validate (/srv/app/tools.js:12:7)`),
  },
  'stack trace of Python': {
    schema: plain,
    forbidden: message =>
      failure(`Traceback (most recent call last):\n  File "/srv/app.py", line 3\n${message}`),
  },
  'field is not named': { schema: plain, forbidden: () => failure('The input is invalid.') },
  'ends after the answer': {
    schema: object({ size: number }),
    forbidden(message) {
      setTimeout(() => process.exit(4), 20)
      return failure(message)
    },
  },
  'crash at every third call': { schema: plain, forbidden: endAtThirdCall, allowed: endAtThirdCall },
  'internal error at a forbidden input': {
    schema: plain,
    forbidden: message => ({ error: { code: -32603, message } }),
  },
  'refuses the largest number': {
    schema: object({ size: number }),
    allowed: ({ size }) => (size === 9 ? failure('Input validation error: size is too big') : undefined),
  },
  'answer is not a result': {
    schema: object({ size: number }),
    allowed: () => ({ result: { content: 'x' } }),
  },
}

const silence = Symbol('silence')
const result = structuredContent => ({
  result: { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent },
})
const failure = message => ({ result: { isError: true, content: [{ type: 'text', text: message }] } })

const httpTools = { 'status 500 at a forbidden input': { schema: plain, forbidden: () => 500 } }

const tools = new Map()
const add = (name, tool) => {
  const validate = ajv.compile(tool.schema)
  const validateFaulty = ajv.compile(tool.enforced ?? tool.schema)
  tools.set(name.replaceAll(' ', '_'), { ...tool, validate: isFixed ? validate : validateFaulty })
}
if (!isHttp)
  for (const [keyword, [schema, enforced]] of Object.entries(ignoring))
    add(`ignores ${keyword}`, { schema, enforced })
for (const [name, tool] of Object.entries(isHttp ? httpTools : others)) add(name, tool)

function call(name, input) {
  const { validate, forbidden, allowed, output } = tools.get(name)
  if (!validate(input)) {
    const [{ instancePath, message, params }] = validate.errors
    const words = `Input validation error: ${instancePath} ${message} ${JSON.stringify(params)}`
    return (isFixed ? undefined : forbidden?.(words)) ?? failure(words)
  }
  return (isFixed ? undefined : allowed?.(input)) ?? (output ? result({ count: 1 }) : result({ ok: true }))
}

function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: isFixed ? 'fixed' : 'faulty', version: '1' },
        },
      }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: [...tools].map(toListed) } }
    case 'tools/call':
      return call(params.name, params.arguments ?? {})
    default:
      return { error: { code: -32601, message: `unknown method ${method}` } }
  }
}

const toListed = ([name, { schema, output }]) => ({
  name,
  inputSchema: schema,
  ...(output && { outputSchema: output }),
  annotations: { readOnlyHint: true, openWorldHint: false },
})

if (isHttp) {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method !== 'POST') return response.writeHead(405).end()
    const message = JSON.parse(body)
    if (message.id === undefined) return response.writeHead(202).end()
    const reply = answer(message)
    if (typeof reply === 'number') return response.writeHead(reply).end('Internal Server Error')
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...reply }))
  })
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`))
} else
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line)
    if (message.id === undefined) continue
    const reply = answer(message)
    if (reply !== silence)
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...reply })}\n`)
  }
