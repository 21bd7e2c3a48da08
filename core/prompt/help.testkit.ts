import fc from 'fast-check'
import type { JsonSchema, ManifestTool, Tool } from '../tool/tool.ts'
import { nameToolCommands, type ToolCommand } from './tool-commands.ts'

/** Tools of one source, as a catalog would hold them. */
export function toolsOf(source: string, entries: readonly Partial<ManifestTool>[]): Tool[] {
  return entries.map((entry, index) => ({
    name: 'tool',
    inputSchema: {},
    ...entry,
    ref: `${source}/${entry.name ?? 'tool'}${index === 0 ? '' : `~${index}`}`,
    source,
    index,
    callable: true,
  }))
}

/** One tool under its command. */
export function entryOf(tool: Partial<ManifestTool>): ToolCommand {
  const [entry] = nameToolCommands(toolsOf('acme', [tool])).entries
  if (entry === undefined) throw new Error('no entry')
  return entry
}

/** The tool that the formats' golden tests speak of. */
export const getUser: Partial<ManifestTool> = {
  name: 'get_user',
  description: 'Fetch user by ID',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      include_orders: { type: 'boolean' },
      role: { type: 'string', enum: ['admin', 'member', 'guest'] },
    },
    required: ['id'],
  },
}

/** Keywords with fitting and unfitting values, references and cycles among them. */
export const { schema: anySchema } = fc.letrec<{ schema: JsonSchema; any: unknown }>(tie => ({
  any: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.jsonValue({ maxDepth: 2 }), tie('schema')),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.boolean(),
    fc.record(
      {
        type: fc.constantFrom('object', 'array', 'string', 'integer', 'nonsense', ['string', 'null'], 7),
        properties: fc.oneof(
          fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('__proto__')), tie('schema'), {
            maxKeys: 4,
          }),
          tie('any'),
        ),
        required: fc.oneof(fc.array(fc.string()), tie('any')),
        items: tie('any'),
        prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
        additionalProperties: tie('any'),
        patternProperties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 2 }),
        anyOf: fc.oneof(fc.array(tie('schema'), { maxLength: 3 }), tie('any')),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
        if: tie('schema'),
        // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
        then: tie('schema'),
        dependentSchemas: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 2 }),
        $ref: fc.constantFrom('#', '#/properties/a', '#/$defs/x', 'https://elsewhere.example/', '#/%'),
        $defs: fc.record({ x: tie('schema') }),
        enum: fc.oneof(fc.array(fc.jsonValue({ maxDepth: 1 })), tie('any')),
        const: fc.jsonValue({ maxDepth: 1 }),
        default: fc.jsonValue({ maxDepth: 1 }),
        examples: tie('any'),
        description: fc.oneof(fc.string({ unit: 'binary' }), tie('any')),
        pattern: fc.constantFrom('^a', '(', '^(a+)+$', 3),
        format: fc.constantFrom('date', 'nonsense', 3),
        minimum: fc.oneof(fc.double(), fc.string()),
        minLength: fc.constantFrom(0, 3, -1, 1e9, 'x'),
        maxItems: fc.constantFrom(0, 2, 'x'),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonSchema>,
  ),
}))
