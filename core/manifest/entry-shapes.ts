/** The documented formats of a tool, except incur's. Those of a list are in read-manifest.ts. */
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { incurCommand } from './incur.ts'
import type { ManifestFormat } from './manifest-formats.ts'
import { isGeminiSchema } from './openapi-schema.ts'
import { anyObject, type EntryShape, without } from './tool-entry.ts'

/** The kind of object that holds a list: `bare` is an array without an object, `bundle` an MCPB manifest. */
export type Envelope = 'bare' | 'tools' | 'functions' | 'incur' | 'gemini' | 'bundle'

/**
 * A declaration of functions.json: `{name, description, parameters, agent?}`. Formats of this family have no output
 * schema.
 */
const functionDeclaration: EntryShape = {
  matches: entry => Object.hasOwn(entry, 'parameters'),
  read: entry => ({
    name: own(entry, 'name'),
    description: own(entry, 'description'),
    inputSchema: own(entry, 'parameters'),
    extra: without(entry, ['name', 'description', 'parameters']),
  }),
}

/**
 * An entry of a bridge's `GET /tools`: a declaration with `mcp`, the id of the server that provides it. `?full=1` adds
 * `outputSchema`, `title` and `annotations`.
 */
const bridgeTool: EntryShape = {
  matches: entry => functionDeclaration.matches(entry) && typeof own(entry, 'mcp') === 'string',
  read: entry => {
    const { outputSchema, title, annotations, ...extra } = functionDeclaration.read(entry).extra ?? {}
    return { ...functionDeclaration.read(entry), title, outputSchema, annotations, extra }
  },
}

/** A tool of Anthropic's Messages API: `{name, description?, input_schema, type?: "custom"}`. */
const anthropicTool: EntryShape = {
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
 * A tool in MCP's `tools/list` and in `--llms` manifests: `{name, title?, description?, inputSchema, outputSchema?,
 * annotations?, _meta? …}`.
 */
const mcpTool: EntryShape = {
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
 * A function tool of OpenAI's APIs: `{type:"function", function:{name, description, parameters, strict?}}` (chat
 * completions), or the same members next to `type` (responses). Without `parameters` it has no input.
 */
const openaiFunction: EntryShape = {
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

/**
 * A tool of Bedrock's Converse API: `{toolSpec: {name, description?, inputSchema: {json}, strict?}}`, or `{systemTool}`
 * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Tool.html).
 */
const bedrockTool: EntryShape = {
  matches: entry => Object.hasOwn(entry, 'toolSpec') || isObject(own(entry, 'systemTool')),
  read: entry => {
    const given = own(entry, 'toolSpec')
    const specification = isObject(given) ? given : {}
    const inputSchema = own(specification, 'inputSchema')
    return {
      name: own(specification, 'name'),
      description: own(specification, 'description'),
      inputSchema: isObject(inputSchema) ? own(inputSchema, 'json') : inputSchema,
      extra: without(specification, ['name', 'description', 'inputSchema']),
      ...(given === undefined && { notATool: 'a tool that Bedrock itself provides' }),
    }
  },
}

/**
 * A declaration of the Gemini API: `{name, description?, parameters | parametersJsonSchema, response |
 * responseJsonSchema, behavior?}`, in Python with underscores. Without parameters it has no input. Source:
 * https://ai.google.dev/api/caching#FunctionDeclaration
 */
const geminiDeclaration: EntryShape = {
  matches: entry =>
    ['parametersJsonSchema', 'parameters_json_schema'].some(key => Object.hasOwn(entry, key)) ||
    isGeminiSchema(own(entry, 'parameters')),
  read: entry => {
    const builtIn = geminiBuiltIn(entry)
    if (builtIn !== undefined)
      return {
        name: undefined,
        inputSchema: undefined,
        notATool: `"${builtIn}", which Gemini itself provides`,
      }
    const read = (key: string, inPython: string) => own(entry, key) ?? own(entry, inPython) ?? undefined
    const input = read('parametersJsonSchema', 'parameters_json_schema')
    const output = read('responseJsonSchema', 'response_json_schema')
    return {
      name: own(entry, 'name'),
      description: own(entry, 'description'),
      inputSchema: input ?? own(entry, 'parameters') ?? undefined,
      inputOptional: true,
      outputSchema: output ?? own(entry, 'response'),
      geminiSchemas: [
        ...(input === undefined ? (['inputSchema'] as const) : []),
        ...(output === undefined ? (['outputSchema'] as const) : []),
      ],
      extra: without(entry, geminiKeys),
    }
  },
}

const geminiKeys = [
  ...['name', 'description', 'parameters', 'parametersJsonSchema', 'parameters_json_schema'],
  ...['response', 'responseJsonSchema', 'response_json_schema'],
]

/** Returns the key of a tool without declarations: `googleSearch` of `{"googleSearch": {}}`. */
function geminiBuiltIn(entry: UnknownObject): string | undefined {
  const [key, ...others] = Object.keys(entry)
  const isOne = key !== undefined && others.length === 0 && isObject(entry[key])
  const isTool = isOne && !geminiKeys.includes(key) && readDeclarations(entry) === undefined
  return isTool && /^[a-z][A-Za-z_]{2,40}$/.test(key) ? key : undefined
}

/** Returns what a tool of the Gemini API declares; undefined if the key is missing. */
export const readDeclarations = (entry: UnknownObject): unknown =>
  own(entry, 'functionDeclarations') ?? own(entry, 'function_declarations')

/**
 * A tool of an MCPB manifest: `{name, description?}`. Its input is unknown. Source:
 * github.com/modelcontextprotocol/mcpb, MANIFEST.md
 */
const bundleTool: EntryShape = {
  matches: () => true,
  read: entry => ({
    name: own(entry, 'name'),
    description: own(entry, 'description'),
    inputSchema: anyObject,
    extra: without(entry, ['name', 'description']),
  }),
}

type NamedShape = readonly [ManifestFormat, EntryShape]

/** Formats of an entry; the first one that matches reads the entry. */
const shapes: readonly NamedShape[] = [
  ['OpenAI tools', openaiFunction],
  ['Anthropic tools', anthropicTool],
  ['MCP tools/list', mcpTool],
  ['Bedrock toolConfig', bedrockTool],
  ['bridge /tools', bridgeTool],
  ['Gemini functionDeclarations', geminiDeclaration],
  ['functions.json', functionDeclaration],
]

/** Envelopes that decide the format of their entries. */
const envelopeShapes: Partial<Record<Envelope, NamedShape>> = {
  incur: ['incur', incurCommand],
  gemini: ['Gemini functionDeclarations', geminiDeclaration],
  bundle: ['MCPB manifest', bundleTool],
}

/** Returns the format of an entry, and what reads it. */
export function detectShape(entry: unknown, envelope: Envelope): NamedShape {
  const ofEnvelope = envelopeShapes[envelope]
  if (ofEnvelope !== undefined) return ofEnvelope
  const fitting = isObject(entry) ? shapes.find(([, shape]) => shape.matches(entry)) : undefined
  return (
    fitting ?? (envelope === 'tools' ? ['MCP tools/list', mcpTool] : ['functions.json', functionDeclaration])
  )
}
