/** Values against a proof: random ones, those at the borders of both schemas, and changes of values of the first one. */
import fc from 'fast-check'
import { values } from '../../core/compat/testing/arbitrary-schemas.ts'
import { valuesOf } from '../../core/compat/testing/values-of.ts'
import { isObject } from '../../core/json/json.ts'
import { collect } from '../compat/falsify.ts'
import type { SoakPair } from './make-pair.ts'

const randomValues = fc.array(values, { minLength: 20, maxLength: 20 })
const madeValues = 4
const changesOfEach = 10
const maxBorders = 24

export function* attackValues({ a, b }: SoakPair, number: number, random: () => number): Generator<unknown> {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const names = new Set<string>(['a', 'extra', ''])
  const borders: unknown[] = [null, true, 0, 0.5, -1, '', 'a', [], {}]
  collect(a, names, borders)
  collect(b, names, borders)
  const few = borders.length <= maxBorders ? borders : Array.from({ length: maxBorders }, () => pick(borders))
  yield* few
  yield* fc.sample(randomValues, { seed: number, numRuns: 1 })[0] ?? []
  for (const value of few) yield random() < 0.5 ? [value, pick(few)] : { [pick([...names])]: value }
  for (const made of valuesOf(a, madeValues)) {
    yield made
    for (let change = 0; change < changesOfEach; change++) yield changed(made)
  }

  function changed(value: unknown, depth = 0): unknown {
    const stays = depth < 6 && random() < 0.7
    if (Array.isArray(value) && stays) {
      const at = Math.floor(random() * (value.length + 1))
      if (random() < 0.2) return value.toSpliced(at, 1)
      if (random() < 0.2) return [...value, pick([...value, pick(borders)])]
      return at === value.length ? [...value, pick(borders)] : value.with(at, changed(value[at], depth + 1))
    }
    if (isObject(value) && stays) {
      const entries = Object.entries(value)
      const at = Math.floor(random() * (entries.length + 1))
      const [name, inner] = entries[at] ?? [pick([...names]), undefined]
      if (inner !== undefined && random() < 0.3) return Object.fromEntries(entries.toSpliced(at, 1))
      const added = inner === undefined ? pick(borders) : changed(inner, depth + 1)
      return Object.fromEntries([...entries, [name, added]])
    }
    if (typeof value === 'number' && random() < 0.5) return value + pick([1, -1, 0.5, -0.5])
    if (typeof value === 'string' && random() < 0.5) return random() < 0.5 ? `${value}a` : value.slice(1)
    return pick(borders)
  }
}
