/** Values that are nested without end: no writer of JSON, no thread and no view can take them. */
import { isDeeperThan } from '../json/depth.ts'
import type { SessionEnding } from './invocation.ts'

/** `JSON.stringify` gives up at some thousands. */
const maxResultDepth = 1_000

/** Said of a result whose structure was let go. */
export const tooDeepNote = `The result is nested more than ${maxResultDepth} levels deep; it is shown as text.`

/**
 * The same ending, or, where it is nested too deep, one with its text alone: `raw`, and the blocks of `content` that are
 * no deeper.
 */
export function boundDepth<Ended extends SessionEnding>(ending: Ended): Ended {
  if (!isDeeperThan(ending, maxResultDepth)) return ending
  const { structuredContent: _value, meta: _meta, content, ...rest } = ending
  const kept = content.filter(block => !isDeeperThan(block, maxResultDepth))
  const text =
    ending.raw !== undefined && kept.length === 0 ? [{ type: 'text', text: ending.raw } as const] : []
  const note = ending.note === undefined ? tooDeepNote : `${ending.note} ${tooDeepNote}`
  return { ...rest, content: [...kept, ...text], note } as unknown as Ended // Only optional members were left out.
}
