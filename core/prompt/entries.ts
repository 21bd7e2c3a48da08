/** One tool as each API takes it, as JSON without indentation. */
import { firstLine } from '../catalog/summarize-tool.ts'
import { isObject, own } from '../json/json.ts'
import type { JsonSchema, Tool } from '../tool/tool.ts'

/** Of a compact entry, and of a schema that no API takes: an input is an object, and nothing is said of it. */
const anyObject: JsonSchema = { type: 'object' }

type Entry = (tool: Tool, name: string, compact: boolean) => string

export const openaiEntry: Entry = (tool, name, compact) =>
  write(
    schema => ({
      type: 'function',
      function: { name, ...described(tool, compact), parameters: schema },
    }),
    inputOf(tool, compact),
  )

export const anthropicEntry: Entry = (tool, name, compact) =>
  write(schema => ({ name, ...described(tool, compact), input_schema: schema }), inputOf(tool, compact))

export const mcpEntry: Entry = (tool, name, compact) => {
  const { annotations, outputSchema } = tool
  const title = name === tool.name ? tool.title : tool.title ? `${tool.title} (${tool.name})` : tool.name
  return write(
    (inputSchema, rest) => ({
      name,
      ...(compact || title === undefined ? {} : { title }),
      ...described(tool, compact),
      inputSchema,
      ...(rest && !compact && outputSchema !== undefined ? { outputSchema } : {}),
      ...(rest && !compact && annotations !== undefined ? { annotations } : {}),
    }),
    inputOf(tool, compact),
  )
}

function described({ description }: Tool, compact: boolean): { description?: string } {
  const text = compact && description !== undefined ? firstLine(description) : description
  return text === undefined || text === '' ? {} : { description: text }
}

/** The schema to the letter where an API would look at it at all. */
function inputOf({ inputSchema }: Tool, compact: boolean): JsonSchema {
  if (compact || !isObject(inputSchema)) return anyObject
  return own(inputSchema, 'type') === undefined ? { type: 'object', ...inputSchema } : inputSchema
}

/** A schema nested beyond what JSON can write goes without: an entry is there for every tool. */
function write(make: (schema: JsonSchema, rest: boolean) => object, schema: JsonSchema): string {
  try {
    return JSON.stringify(make(schema, true))
  } catch {
    return JSON.stringify(make(anyObject, false))
  }
}

/** A compact list adds this tool, so that a model can ask for the schemas. */
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
