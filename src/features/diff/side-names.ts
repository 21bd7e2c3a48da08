import type { SideNames } from './witness-box.tsx'

/** Longer names leave no space for the rest of the sentence. */
const maxCharacters = 24

/** Returns `acme@3` and `acme`, or the file names of two paths; `before` and `after` if these are long or the same. */
export function sideNames(a: string, b: string): SideNames {
  const [before, after] = [shortName(a), shortName(b)]
  const isClear = before !== after && Math.max(before.length, after.length) <= maxCharacters
  return isClear ? { before, after } : { before: 'before', after: 'after' }
}

/** Returns the end of a path, which distinguishes it from the other one. */
const shortName = (label: string) =>
  label
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\.json$/, '') ?? label
