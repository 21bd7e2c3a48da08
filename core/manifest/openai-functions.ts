import { isObject, own } from '../json/json.ts'
import { type EntryShape, without } from './entry.ts'

/**
 * A function tool of OpenAI's APIs: `{type:"function", function:{name, description, parameters, strict?}}`
 * (chat completions), or the same members beside `type` (responses). Without `parameters` there is no input.
 */
export const openaiFunction: EntryShape = {
  fits: entry =>
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
