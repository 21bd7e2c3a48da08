import { own } from '../json/json.ts'
import { type EntryShape, without } from './entry.ts'

/** A declaration of functions.json: `{name, description, parameters, agent?}`. No format of that family has outputs. */
export const functionDeclaration: EntryShape = {
  fits: entry => Object.hasOwn(entry, 'parameters'),
  read: entry => ({
    name: own(entry, 'name'),
    description: own(entry, 'description'),
    inputSchema: own(entry, 'parameters'),
    extra: without(entry, ['name', 'description', 'parameters']),
  }),
}
