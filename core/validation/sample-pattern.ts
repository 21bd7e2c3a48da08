/** Makes a short string that matches a regular expression, from the expression's source. */
import { matchLinearly, unicodePattern } from './safe-pattern.ts'

/** Repeats for `*`, `+` and `{n,}` in addition to their minimum. */
const extraRepeats = 3
const maxOutput = 2000
const maxSource = 2000

type PatternNode =
  | { readonly kind: 'set'; readonly characters: string }
  | { readonly kind: 'text'; readonly branches: readonly (readonly Repeat[])[] }
interface Repeat {
  readonly node: PatternNode
  readonly min: number
  readonly max: number
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const digits = '1842563790'
const classes: Readonly<Record<string, string>> = {
  d: digits,
  w: `${letters}${letters.toUpperCase()}${digits}_`,
  s: ' ',
  D: letters,
  W: ' -',
  S: letters,
}
const anyCharacter = `${letters}${digits} -_.`
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')

/**
 * @param random picks among alternatives, from 0 up to 1; without it, the first ones are taken
 * @returns `null` if the pattern is invalid or has unsupported parts (look-arounds, back-references)
 */
export function samplePattern(pattern: string, random: () => number = () => 0): string | null {
  const source = unicodePattern(pattern)
  if (source === null || source.length > maxSource) return null
  try {
    const tree = parsePattern(source)
    for (const varied of [random, () => 0.5, () => 0.99]) {
      const sample = write(tree, varied, { left: maxOutput })
      if (matchLinearly(source, sample)) return sample
    }
  } catch {
    // The small parser or the matcher does not support a construct.
  }
  return null
}

function write(node: PatternNode, random: () => number, budget: { left: number }): string {
  // Groups without output cost time too.
  budget.left--
  if (node.kind === 'set') {
    return [...node.characters][Math.floor(random() * [...node.characters].length)] ?? ''
  }
  const branch = node.branches[Math.floor(random() * node.branches.length)] ?? []
  let text = ''
  for (const { node: part, min, max } of branch) {
    const times = min + Math.floor(random() * (Math.min(max, min + extraRepeats) - min + 1))
    const wanted = min === 0 && times === 0 && max > 0 && part.kind === 'set' && random() > 0.5 ? 1 : times
    for (let index = 0; index < wanted && budget.left > 0; index++) text += write(part, random, budget)
  }
  return text
}

function parsePattern(source: string): PatternNode {
  const characters = [...source]
  let at = 0
  const tree = alternatives()
  if (at < characters.length) throw new SyntaxError('unbalanced')
  return tree

  function alternatives(): PatternNode {
    const branches: Repeat[][] = [[]]
    while (at < characters.length && characters[at] !== ')') {
      if (characters[at] === '|') {
        at++
        branches.push([])
        continue
      }
      const node = atom()
      if (node) branches.at(-1)?.push({ node, ...quantifier() })
    }
    return { kind: 'text', branches }
  }

  function atom(): PatternNode | null {
    const character = characters[at++] ?? ''
    if (character === '^' || character === '$') return null
    if (character === '.') return { kind: 'set', characters: anyCharacter }
    if (character === '[') return { kind: 'set', characters: characterClass() }
    if (character === '\\') return escaped()
    if (character !== '(') return { kind: 'set', characters: character }
    const look = characters.slice(at, at + 3).join('')
    if (look.startsWith('?:')) at += 2
    else if (look.startsWith('?<') && !'=!'.includes(look[2] ?? '')) at = characters.indexOf('>', at) + 1
    else if (look.startsWith('?')) return skipGroup()
    const inner = alternatives()
    at++
    return inner
  }

  /** Look-arounds consume nothing; the finished sample is tested against the original pattern. */
  function skipGroup(): null {
    let depth = 1
    while (at < characters.length && depth > 0) {
      const character = characters[at++]
      if (character === '\\') at++
      else if (character === '(') depth++
      else if (character === ')') depth--
    }
    return null
  }

  function escaped(): PatternNode | null {
    const character = characters[at++] ?? ''
    if (character === 'b' || character === 'B') return null
    return { kind: 'set', characters: escapeSet(character) }
  }

  function escapeSet(character: string): string {
    if (Object.hasOwn(classes, character)) return classes[character] ?? ''
    if (character === 'n') return '\n'
    if (character === 't') return '\t'
    if (character === 'r') return '\r'
    if (character === 'x' || character === 'u') {
      const braced = characters[at] === '{'
      const end = braced ? characters.indexOf('}', at) : at + (character === 'x' ? 2 : 4)
      const code = characters.slice(braced ? at + 1 : at, end).join('')
      at = braced ? end + 1 : end
      return String.fromCodePoint(Number.parseInt(code, 16))
    }
    if (character === 'p') {
      const end = characters.indexOf('}', at)
      const name = characters.slice(at + 1, end).join('')
      at = end + 1
      return name.startsWith('N') ? digits : name === 'Lu' ? letters.toUpperCase() : letters
    }
    if (/[1-9k]/.test(character)) throw new SyntaxError('back reference')
    return character
  }

  function characterClass(): string {
    const negated = characters[at] === '^'
    if (negated) at++
    let set = ''
    while (at < characters.length && characters[at] !== ']') {
      const low = classMember()
      if (characters[at] === '-' && characters[at + 1] !== ']' && [...low].length === 1) {
        at++
        set += range(low, classMember())
      } else set += low
    }
    at++
    if (!negated) return set
    return [...anyCharacter, ...printable].filter(character => !set.includes(character)).join('')
  }

  function classMember(): string {
    const character = characters[at++] ?? ''
    return character === '\\' ? escapeSet(characters[at++] ?? '') : character
  }

  function quantifier(): { min: number; max: number } {
    const character = characters[at]
    const brace =
      character === '{' ? /^\{(\d+)(,(\d*))?\}/.exec(characters.slice(at, at + 24).join('')) : null
    let bounds = { min: 1, max: 1 }
    if (character === '*') bounds = { min: 0, max: Number.POSITIVE_INFINITY }
    else if (character === '+') bounds = { min: 1, max: Number.POSITIVE_INFINITY }
    else if (character === '?') bounds = { min: 0, max: 1 }
    else if (brace) {
      const min = Number(brace[1])
      bounds = { min, max: brace[2] ? (brace[3] ? Number(brace[3]) : Number.POSITIVE_INFINITY) : min }
    } else return bounds
    at += brace ? brace[0].length : 1
    if (characters[at] === '?') at++
    return bounds
  }
}

function range(low: string, high: string): string {
  const first = low.codePointAt(0) ?? 0
  const last = high.codePointAt(0) ?? 0
  const size = Math.max(0, Math.min(last - first + 1, 128))
  return Array.from({ length: size }, (_, index) => String.fromCodePoint(first + index)).join('')
}
