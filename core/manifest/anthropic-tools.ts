import { own } from '../json/json.ts'
import { type EntryShape, without } from './entry.ts'

/** A tool of Anthropic's Messages API: `{name, description?, input_schema, type?: "custom"}`. */
export const anthropicTool: EntryShape = {
  fits: entry => Object.hasOwn(entry, 'input_schema'),
  read: entry => ({
    name: own(entry, 'name'),
    description: own(entry, 'description'),
    inputSchema: own(entry, 'input_schema'),
    extra: without(entry, ['name', 'description', 'input_schema']),
  }),
}
