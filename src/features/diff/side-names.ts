import type { SideNames } from './witness-box.tsx'

/** Longer names leave no room for what is said of them. */
const maxCharacters = 24

/** `acme@3` and `acme`, the files' names of two paths; `before` and `after` where these are long or the same. */
export function sideNames(a: string, b: string): SideNames {
  const [before, after] = [shortName(a), shortName(b)]
  const isClear = before !== after && Math.max(before.length, after.length) <= maxCharacters
  return isClear ? { before, after } : { before: 'before', after: 'after' }
}

/** The end of a path: it tells two apart. */
const shortName = (label: string) =>
  label
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\.json$/, '') ?? label
