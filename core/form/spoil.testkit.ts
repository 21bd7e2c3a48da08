/** Values that are near to valid ones and mostly are not: for tests of forms and validators. */
import { isObject, type Json } from '../json/json.ts'

const strangers: readonly Json[] = [
  null,
  true,
  12345678901234,
  'not this',
  '',
  [],
  {},
  [null, 'x'],
  { strange: [1, { deep: null }] },
  -0.5,
  'two\nlines',
  ' spaced ',
]

/** One change somewhere: another type, a missing key, an unknown key, a repeated item. */
export function spoil(value: Json, random: () => number): Json {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  if (isObject(value)) {
    const keys = Object.keys(value)
    const key = keys.length > 0 && random() < 0.75 ? pick(keys) : undefined
    if (key === undefined) return { ...value, 'not in the schema': pick(strangers) }
    if (random() < 0.25)
      return Object.fromEntries(Object.entries<Json>(value).filter(([name]) => name !== key))
    return Object.fromEntries(
      Object.entries<Json>(value).map(([name, item]): [string, Json] => [
        name,
        name === key ? spoil(item, random) : item,
      ]),
    )
  }
  if (Array.isArray(value) && value.length > 0) {
    const items = value as readonly Json[]
    if (random() < 0.3) return [...items, pick(strangers)]
    const at = Math.floor(random() * items.length)
    return items.map((item, index) => (index === at ? spoil(item, random) : item))
  }
  return pick(strangers)
}
