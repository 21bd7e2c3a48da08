/** Terms that plainly have no value in common, such as the members of a union with a discriminator. */
import { type Term, typeBits } from './term.ts'
import type { Terms } from './terms.ts'

/** True only where no value satisfies both; false where that does not show at once. */
export function clash(terms: Terms, first: Term, second: Term): boolean {
  const shared = first.mask & second.mask
  if (shared === 0) return true
  if (shared !== typeBits.object) return false
  const own = propertiesOf(first)
  const other = propertiesOf(second)
  for (const name of [...own.required, ...other.required]) {
    const rules = [...(own.rules.get(name) ?? []), ...(other.rules.get(name) ?? [])]
    if (rules.length > 1 && terms.and(rules) === terms.never) return true
  }
  return false
}

interface Properties {
  readonly required: ReadonlySet<string>
  readonly rules: ReadonlyMap<string, readonly Term[]>
}

/** A union of n members asks for each of them n times. */
const known = new WeakMap<Term, Properties>()

function propertiesOf(term: Term): Properties {
  const found = known.get(term) ?? readProperties(term)
  known.set(term, found)
  return found
}

/** What a conjunction says of properties by their names. */
function readProperties(term: Term): Properties {
  const required = new Set<string>()
  const rules = new Map<string, Term[]>()
  for (const part of term.kind === 'and' ? term.parts : [term]) {
    if (part.kind !== 'some' && part.kind !== 'every') continue
    const name = part.keys.sole
    if (name === undefined) continue
    if (part.kind === 'some') required.add(name)
    rules.set(name, [...(rules.get(name) ?? []), part.term])
  }
  return { required, rules }
}
