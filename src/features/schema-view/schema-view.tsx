import type { JsonSchema } from '../../../core/tool.ts'

interface SchemaViewProps {
  readonly input: JsonSchema
  readonly output?: JsonSchema | undefined
}

/** Both schemas as JSON. */
export function SchemaView({ input, output }: SchemaViewProps) {
  return <pre style={{ padding: 16, overflow: 'auto' }}>{JSON.stringify({ input, output }, null, 2)}</pre>
}
