/**
 * Converts a `pattern` of JSON Schema to the language of the accepted texts: ECMA-262 with the `u` flag, matched
 * anywhere in the text. The parser is refa, which is loaded on demand (`loadCompat`).
 */
import type * as Refa from 'refa'
import { type Language, Languages } from './language.ts'
import { Undecided } from './proof-limits.ts'

let refa: typeof Refa | undefined

/** Loads the pattern parser once. */
export async function loadPatterns(): Promise<void> {
  refa ??= await import('refa')
}

type PatternPart = Refa.NoParent<Refa.Element>
type Sequence = Refa.NoParent<Refa.Concatenation>

/** Maximum copies of a group with a look-ahead. */
const maxCopies = 20

export class Patterns {
  readonly languages = new Languages()
  private readonly known = new Map<string, Language | Error>()

  get isEmpty(): boolean {
    return this.known.size === 0
  }

  /** Whether a pattern was refused because there are too many expressions. */
  get isFull(): boolean {
    return this.languages.isFull
  }

  /** @throws Undecided if the pattern is not a regular language or the parser is not loaded */
  language(source: string): Language {
    let result = this.known.get(source)
    if (!result) {
      try {
        result = this.read(source)
      } catch (error) {
        if (!(error instanceof Undecided) || !refa) throw error
        result = error
      }
      this.known.set(source, result)
    }
    if (result instanceof Error) throw result
    return result
  }

  private read(source: string): Language {
    if (!refa) throw new Undecided('patterns need loadCompat() first')
    if (source.length > 5_000) throw new Undecided('a pattern is too long')
    let alternatives: readonly Sequence[]
    try {
      const parser = refa.JS.Parser.fromLiteral({ source, flags: 'u' })
      alternatives = parser.parse({ assertions: 'parse', backreferences: 'throw', maxNodes: 20_000 })
        .expression.alternatives
    } catch (error) {
      throw new Undecided(`the pattern /${source}/ cannot be analysed: ${(error as Error).message}`)
    }
    const { all } = this.languages
    return this.languages.union(
      alternatives.map(({ elements: [first, ...rest] }) =>
        first && isStart(first)
          ? this.sequence(rest, all)
          : this.languages.concat(all, this.sequence(first ? [first, ...rest] : [], all)),
      ),
    )
  }

  /**
   * Returns the language of the parts in order, then `after`. Built from the right, because look-aheads need what
   * follows.
   */
  private sequence(parts: readonly PatternPart[], after: Language): Language {
    return parts.reduceRight((rest, part) => this.part(part, rest), after)
  }

  private alternatives(sequences: readonly Sequence[], after: Language): Language {
    return this.languages.union(sequences.map(({ elements }) => this.sequence(elements, after)))
  }

  private part(part: PatternPart, after: Language): Language {
    const { languages } = this
    switch (part.type) {
      case 'CharacterClass': {
        const set = part.characters.ranges.flatMap(({ min, max }) => [min, max])
        return languages.concat(languages.chars(set), after)
      }
      case 'Alternation':
        return this.alternatives(part.alternatives, after)
      case 'Assertion': {
        if (part.kind === 'ahead') {
          const seen = this.alternatives(part.alternatives, languages.all)
          return languages.both([part.negate ? languages.not(seen) : seen, after])
        }
        if (part.alternatives.some(looksAhead))
          throw new Undecided('a pattern looks ahead inside a look-behind')
        const before = languages.concat(languages.all, this.alternatives(part.alternatives, languages.empty))
        return languages.concat(languages.behind(before, part.negate), after)
      }
      case 'Quantifier':
        return this.quantifier(part, after)
      case 'Unknown':
        throw new Undecided('a pattern has a part that cannot be analysed')
    }
  }

  private quantifier(part: Refa.NoParent<Refa.Quantifier>, after: Language): Language {
    const { languages } = this
    if (!part.alternatives.some(looksAhead)) {
      const body = this.alternatives(part.alternatives, languages.empty)
      return languages.concat(languages.repeat(body, part.min, part.max), after)
    }
    if (part.max > maxCopies) throw new Undecided('a pattern looks ahead inside a repetition')
    let result = part.min === part.max ? this.languages.none : after
    for (let copies = part.max; copies > 0; copies -= 1) {
      const next = this.alternatives(part.alternatives, copies === part.max ? after : result)
      result = copies - 1 >= part.min ? languages.union([next, after]) : next
    }
    return result
  }
}

function looksAhead({ elements }: Sequence): boolean {
  return elements.some(
    part =>
      (part.type === 'Assertion' && part.kind === 'ahead') ||
      ('alternatives' in part && part.alternatives.some(looksAhead)),
  )
}

/** Whether the part is `^`, which refa writes as "no character behind". */
function isStart(part: PatternPart): boolean {
  if (part.type !== 'Assertion' || part.kind !== 'behind' || !part.negate) return false
  const [only, ...others] = part.alternatives
  const [element, ...more] = only?.elements ?? []
  return (
    others.length === 0 && more.length === 0 && element?.type === 'CharacterClass' && element.characters.isAll
  )
}
