/** The documented ways to write one tool, besides incur's. */
import { isObject, own } from '../json/json.ts'
import { type EntryShape, without } from './entry.ts'

/** A declaration of functions.json: `{name, description, parameters, agent?}`. No format of that family has outputs. */
export const functionDeclaration: EntryShape = {
  matches: entry => Object.hasOwn(entry, 'parameters'),
  read: entry => ({
    name: own(entry, 'name'),
    description: own(entry, 'description'),
    inputSchema: own(entry, 'parameters'),
    extra: without(entry, ['name', 'description', 'parameters']),
  }),
}

/**
 * An entry of a bridge's `GET /tools`: a declaration with `mcp`, the id of the server that provides it.
 * `?full=1` adds `outputSchema`, `title` and `annotations`.
 */
export const bridgeTool: EntryShape = {
  matches: entry => functionDeclaration.matches(entry) && typeof own(entry, 'mcp') === 'string',
  read: entry => {
    const { outputSchema, title, annotations, ...extra } = functionDeclaration.read(entry).extra ?? {}
    return { ...functionDeclaration.read(entry), title, outputSchema, annotations, extra }
  },
}

/** A tool of Anthropic's Messages API: `{name, description?, input_schema, type?: "custom"}`. */
export const anthropicTool: EntryShape = {
  matches: entry => Object.hasOwn(entry, 'input_schema'),
  read: entry => ({
    name: own(entry, 'name'),
    description: own(entry, 'description'),
    inputSchema: own(entry, 'input_schema'),
    extra: without(entry, ['name', 'description', 'input_schema']),
  }),
}

const known = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']

/**
 * A tool as MCP's `tools/list` and `--llms` manifests write it:
 * `{name, title?, description?, inputSchema, outputSchema?, annotations?, _meta? …}`.
 */
export const mcpTool: EntryShape = {
  matches: entry => Object.hasOwn(entry, 'inputSchema'),
  read: entry => ({
    name: own(entry, 'name'),
    title: own(entry, 'title'),
    description: own(entry, 'description'),
    inputSchema: own(entry, 'inputSchema'),
    outputSchema: own(entry, 'outputSchema'),
    annotations: own(entry, 'annotations'),
    extra: without(entry, known),
  }),
}

/**
 * A function tool of OpenAI's APIs: `{type:"function", function:{name, description, parameters, strict?}}`
 * (chat completions), or the same members beside `type` (responses). Without `parameters` there is no input.
 */
export const openaiFunction: EntryShape = {
  matches: entry =>
    own(entry, 'type') === 'function' &&
    (Object.hasOwn(entry, 'function') || !Object.hasOwn(entry, 'inputSchema')),
  read: entry => {
    const inner = own(entry, 'function')
    const declaration = isObject(inner) ? inner : entry
    return {
      name: own(declaration, 'name'),
      description: own(declaration, 'description'),
      inputSchema: own(declaration, 'parameters') ?? undefined,
      inputOptional: true,
      extra: without(declaration, ['type', 'name', 'description', 'parameters', 'function']),
    }
  },
}
