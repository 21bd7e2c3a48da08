/** Identifies the same finding in different runs. */

import { canonicalJson } from '../json/equality.ts'

const maxCharacters = 20_000
const maxDepth = 60

/** Returns eight hex digits of FNV-1a over the parts, in order. The order of object members does not count. */
export function fingerprint(parts: readonly unknown[]): string {
  const texts = parts.map(part => (part === undefined ? '-' : canonicalJson(part, maxDepth - 1)))
  const text = `[${texts.join(',')}]`.slice(0, maxCharacters)
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
