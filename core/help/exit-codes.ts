import { exitCodes } from '../errors.ts'

/** How `toolscope call` ends, in the order of a man page. */
export const callExitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [exitCodes.fine, 'the tool answered, and its output fits the output schema where there is one'],
  [exitCodes.unexpected, 'something unexpected'],
  [exitCodes.usage, 'usage or configuration: no such tool, or the input is no JSON'],
  [exitCodes.unreachable, 'the source cannot be reached'],
  [exitCodes.toolFailed, 'the tool failed, or its output breaks its schema'],
]
