/** Compares a tool's name with the text that a user types, regardless of case and of the characters between words. */

/**
 * Returns how well a request matches the name: 3 all of it, 2 its last segment, 1 the beginning of either, 0 no match.
 *
 * @param joined the folded words of the request without separators
 * @param isWordOpen whether the request may end inside a word of the name
 */
export function nameFit(name: string, joined: string, isWordOpen: boolean): number {
  if (joined === '') return 0
  const end = endOfMatch(name, 0, joined)
  if (end === name.length) return 3
  const leaf = name.lastIndexOf(' ') + 1
  const leafEnd = leaf === 0 ? end : endOfMatch(name, leaf, joined)
  if (leafEnd === name.length) return 2
  const isBeginning = (at: number | undefined) => at !== undefined && (isWordOpen || isWordStart(name, at))
  return isBeginning(end) || isBeginning(leafEnd) ? 1 : 0
}

/**
 * Returns the parts of a folded word that are consecutive words of this name; undefined if the name does not contain
 * them.
 */
export function splitAsIn(name: string, word: string): string[] | undefined {
  for (let start = 0; start < name.length; start += 1) {
    if (!isWordStart(name, start)) continue
    const parts: string[] = []
    let read = 0
    const isFound = endOfMatch(name, start, word, length => {
      parts.push(word.slice(read, length))
      read = length
    })
    if (isFound !== undefined) return [...parts, word.slice(read)]
  }
  return undefined
}

/**
 * Returns the position in the name after a text that starts at `start`; undefined if the text is not there. `onWord`
 * gets the length of the text before each further word.
 */
function endOfMatch(
  name: string,
  start: number,
  text: string,
  onWord?: (length: number) => void,
): number | undefined {
  let at = start
  for (let read = 0; read < text.length; at += 1) {
    if (at >= name.length) return undefined
    const isSame = foldedCode(name, at) === text.charCodeAt(read)
    if (!isSame && isBetween(name, at)) continue
    if (!isSame) return undefined
    if (read > 0 && onWord !== undefined && isWordStart(name, at)) onWord(read)
    read += 1
  }
  while (at < name.length && isBetween(name, at)) at += 1
  return at
}

/** The kind of a character. ASCII uses a table, because a search reads every name. */
type CharacterKind = 'between' | 'upper' | 'other'
const classifyCharacter = (character: string): CharacterKind =>
  /\p{Lu}/u.test(character) ? 'upper' : /[\p{L}\p{N}]/u.test(character) ? 'other' : 'between'
const asciiKinds = Array.from({ length: 128 }, (_, code) => classifyCharacter(String.fromCharCode(code)))
const kindAt = (name: string, at: number): CharacterKind =>
  asciiKinds[name.charCodeAt(at)] ?? classifyCharacter(name.charAt(at))

const isBetween = (name: string, at: number) => kindAt(name, at) === 'between'

function foldedCode(name: string, at: number): number {
  return kindAt(name, at) === 'upper' ? name.charAt(at).toLowerCase().charCodeAt(0) : name.charCodeAt(at)
}

/** Returns whether a word starts here: after a separator, or as in `getHTMLPage`. */
function isWordStart(name: string, at: number): boolean {
  if (at === 0 || isBetween(name, at - 1)) return true
  if (kindAt(name, at) !== 'upper') return false
  return kindAt(name, at - 1) !== 'upper' || /\p{Ll}/u.test(name.charAt(at + 1))
}
