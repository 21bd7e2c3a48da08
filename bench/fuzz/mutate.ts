/** Changes a JSON value as a broken or hostile program might. */
import { hostileSchemas } from '../../core/json-schema/hostile-schemas.testkit.ts'

type Random = () => number
type Holder = Record<string | number, unknown>

const steering =
  '\u001b]0;owned\u0007\u009b31m\u202eevil\u2066\u061c\ufeff ##[error]owned\n::error::owned\r\u2028'

/** Values to put in the place of others. Functions, because some are large. */
const strangers: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1e308,
  () => 1e-300,
  () => 2 ** 64,
  () => '',
  () => steering,
  () => 'x'.repeat(100_000),
  () => '\ud800',
  () => '__proto__',
  () => 'toString',
  () => [],
  () => ({}),
  () => ({ $ref: '#' }),
  () => ({ type: 'string', pattern: '^(a+)+$', minLength: 40 }),
  () => ({ pattern: '(' }),
  () => ({ enum: Array.from({ length: 3_000 }, (_, index) => `value ${index}`) }),
  () => ({ anyOf: [{ $ref: '#' }, { allOf: [{ $ref: '#' }, { not: { $ref: '#' } }] }] }),
  () => ({ type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } }),
  () => ({ multipleOf: 1e-300, minimum: 1e300 }),
  () => nested(10_000, inner => [inner]),
  () => nested(10_000, inner => ({ properties: { a: inner } })),
  () => nested(300, inner => ({ anyOf: [inner, { type: 'null' }] })),
  () => Array.from({ length: 10_000 }, (_, index) => index),
]

const names = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  steering,
  'n'.repeat(100_000),
  '$ref',
  'type',
  'enum',
]

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}

/** A changed copy: one to four changes, each in a place of its own. */
export function mutate(value: unknown, random: Random): unknown {
  const root: Holder = { value: structuredClone(value) }
  const count = 1 + Math.floor(random() * 4)
  for (let change = 0; change < count; change++) changeOne(root, random)
  return root.value
}

function changeOne(root: Holder, random: Random): void {
  const [holder, key] = placeIn(root, random)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  switch (Math.floor(random() * 6)) {
    case 0:
      if (holder !== root) delete holder[key]
      return
    case 1: {
      // Under another name; defined, so that `__proto__` is one.
      const held = holder[key]
      if (Array.isArray(holder)) holder.push(held)
      else
        Object.defineProperty(holder, pick(names), {
          value: held,
          enumerable: true,
          configurable: true,
          writable: true,
        })
      return
    }
    case 2:
      holder[key] = structuredClone(pick(small))
      return
    case 3:
      holder[key] = { anyOf: [holder[key], holder[key]] }
      return
    default:
      holder[key] = pick(strangers)()
  }
}

/** Hostile schemas that are small: the large ones have tests of their own. */
const small = Object.entries(hostileSchemas()).flatMap(([name, schema]) =>
  /doubling|catastrophic|itself|circle|300 deep|lists/.test(name) ? [schema] : [],
)

/** A random member somewhere in the value; deep places are as likely as shallow ones. */
function placeIn(root: Holder, random: Random): readonly [Holder, string | number] {
  let place: readonly [Holder, string | number] = [root, 'value']
  for (let depth = 0; depth < 40; depth++) {
    const inner = place[0][place[1]]
    if (typeof inner !== 'object' || inner === null) return place
    const keys = Object.keys(inner)
    const key = keys[Math.floor(random() * keys.length)]
    if (key === undefined || (depth > 1 && random() < 0.2)) return place
    place = [inner as Holder, key]
  }
  return place
}

/** The text of a value as a broken program might write it. */
export function mutateText(text: string, random: Random): string {
  const at = Math.floor(random() * text.length)
  switch (Math.floor(random() * 5)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return `${text.slice(0, at)}${steering}${text.slice(at)}`
    case 2:
      return `\ufeff${text}`
    case 3:
      return `${text.slice(0, at)}${'['.repeat(50_000)}${text.slice(at)}`
    default:
      return `${text.slice(0, at)}NaN${text.slice(at + 1)}`
  }
}
