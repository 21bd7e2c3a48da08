/** A plain search for values that refute a pair, knowing nothing of the engine: it may miss, it cannot mistake. */

const scalars: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  1e6,
  '',
  'a',
  'x',
  '\n',
  'ab',
  '0',
  '\u0003',
]
const maximumTries = 3_000

/** @param isRefuting asks the validators. @returns the first value that refutes. */
export function falsify(schemas: readonly unknown[], isRefuting: (value: unknown) => boolean): unknown {
  const names = new Set<string>(['x', 'extra', '\u0003'])
  const values: unknown[] = [...scalars]
  for (const schema of schemas) collect(schema, names, values)
  let tries = 0
  for (const candidate of candidates([...names].slice(0, 12), values.slice(0, 60))) {
    tries += 1
    if (tries > maximumTries) return undefined
    if (isRefuting(candidate)) return candidate
  }
  return undefined
}

/** Constants, limits, the numbers beside them and texts of their length, and all property names. */
export function collect(schema: unknown, names: Set<string>, values: unknown[]): void {
  if (Array.isArray(schema)) for (const item of schema) collect(item, names, values)
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'const') values.push(value)
    if (key === 'enum' && Array.isArray(value)) values.push(...value)
    if (key === 'required' && Array.isArray(value)) for (const name of value) names.add(String(name))
    if (key === 'properties' && typeof value === 'object' && value)
      for (const name of Object.keys(value)) names.add(name)
    if (typeof value === 'number')
      values.push(value, value - 1, value + 1, 'a'.repeat(Math.min(50, Math.max(0, value))))
    collect(value, names, values)
  }
}

function* candidates(names: readonly string[], values: readonly unknown[]): Generator<unknown> {
  yield* values
  yield []
  yield {}
  for (const value of values) yield [value]
  for (const name of names) for (const value of values) yield { [name]: value }
  for (const value of values) {
    yield [value, value]
    yield Object.fromEntries(names.map(name => [name, value]))
  }
  for (const first of values) for (const second of values) yield [first, second]
  for (const [index, first] of names.entries())
    for (const second of names.slice(index + 1))
      for (const value of values) for (const other of values) yield { [first]: value, [second]: other }
}
