import { own } from '../json/json.ts'
import type { EntryShape } from './entry.ts'
import { functionDeclaration } from './functions-json.ts'

/**
 * An entry of a bridge's `GET /tools`: a declaration with `mcp`, the id of the server that provides it.
 * `?full=1` adds `outputSchema`, `title` and `annotations`.
 */
export const bridgeTool: EntryShape = {
  fits: entry => functionDeclaration.fits(entry) && typeof own(entry, 'mcp') === 'string',
  read: entry => {
    const { outputSchema, title, annotations, ...extra } = functionDeclaration.read(entry).extra ?? {}
    return { ...functionDeclaration.read(entry), title, outputSchema, annotations, extra }
  },
}
