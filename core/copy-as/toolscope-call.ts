import type { Recipe } from './copy-context.ts'
import { shellWords } from './shell-quote.ts'

/** The same call by our own command line. Undefined for a source that no argument names (a file that was dropped). */
export const toolscopeCall: Recipe = ({ tool, source, input, variables }) => {
  if (source.argument === undefined) return undefined
  const given = Object.keys(variables).length === 0 ? [] : ['--variables', JSON.stringify(variables)]
  return shellWords(['toolscope', 'call', tool.ref, source.argument, '--input', input, ...given])
}
