/** Limits how deeply a result is nested: JSON writers, structured clone and the page cannot handle unlimited depth. */
import { isDeeperThan } from '../json/depth.ts'
import type { SessionEnding } from './invocation.ts'

/** `JSON.stringify` overflows the stack at some thousands of levels. */
const maxResultDepth = 1_000

/** The note of a result whose structure was dropped. */
export const tooDeepNote = `The result is nested more than ${maxResultDepth} levels deep; it is shown as text.`

/**
 * Returns the ending unchanged, or, if it is nested too deeply, only its text: `raw`, and the blocks of `content`
 * within the limit.
 */
export function boundDepth<Ended extends SessionEnding>(ending: Ended): Ended {
  if (!isDeeperThan(ending, maxResultDepth)) return ending
  const { structuredContent: _value, meta: _meta, content, ...rest } = ending
  const shallow = content.filter(block => !isDeeperThan(block, maxResultDepth))
  const text =
    ending.raw !== undefined && shallow.length === 0 ? [{ type: 'text', text: ending.raw } as const] : []
  const note = ending.note === undefined ? tooDeepNote : `${ending.note} ${tooDeepNote}`
  return { ...rest, content: [...shallow, ...text], note } as unknown as Ended // Only optional members were removed.
}
