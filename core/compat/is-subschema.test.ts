import { LosslessNumber, parse } from 'lossless-json'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { isSubschema, loadCompat } from './is-subschema.ts'
import { Budget, defaultProofLimits } from './proof-limits.ts'
import { decideVerdict } from './testing/expect-verdict.ts'

beforeAll(loadCompat)

const text = { type: 'string' }

describe('isSubschema: contents of a verdict', () => {
  test('gives the location and the reason of a refutation', () => {
    const a = { type: 'object', properties: { a: { type: 'array', items: { type: 'number' } } } }
    const b = { type: 'object', properties: { a: { type: 'array', items: { type: 'integer' } } } }
    expect(isSubschema(a, b)).toMatchObject({
      verdict: 'refuted',
      witness: { a: [0.5] },
      path: '/a/0',
      error: { keyword: 'type', schemaPath: '/properties/a/items', message: 'must be integer, not number' },
    })
  })

  test('gives a small counterexample', () => {
    const a = { type: 'object', properties: { a: text, b: text, c: text }, required: ['a'] }
    expect(isSubschema(a, { maxProperties: 1 })).toMatchObject({ witness: { a: '', b: '' } })
  })

  test('gives a counterexample that fits the formats of the schema', () => {
    const a = { type: 'object', properties: { at: { ...text, format: 'date-time' } }, required: ['at'] }
    expect(isSubschema(a, { required: ['b'] })).toMatchObject({ witness: { at: '2026-01-31T12:00:00Z' } })
  })

  test('says how a proof was found, and counts its cycles', () => {
    const answer = isSubschema({ properties: { a: { enum: ['x'] } } }, { properties: { a: text } })
    expect(answer).toMatchObject({ verdict: 'proved', derivation: { method: 'exhausted' } })
    const recursive = (leaf: object) => ({ anyOf: [leaf, { type: 'array', items: { $ref: '#' } }] })
    const proof = isSubschema(recursive({ type: 'integer' }), recursive({ type: 'number' }))
    expect(proof.verdict === 'proved' && proof.derivation.cycles).toBeGreaterThan(0)
  })

  test('gives the location and the reason of an unknown verdict', () => {
    const answer = isSubschema(
      { properties: { a: { $ref: 'https://example.com/x' } } },
      { properties: { a: text } },
    )
    expect(answer).toEqual({
      verdict: 'unknown',
      reason: 'the reference https://example.com/x leads outside the schema',
      path: '/a',
    })
  })
})

describe('isSubschema: declared properties', () => {
  const declared = { mode: 'declared' } as const

  test('refutes a new optional property only for callers that send undeclared ones', () => {
    const before = { type: 'object', properties: { a: text } }
    const after = { type: 'object', properties: { a: text, b: text } }
    expect(isSubschema(before, after)).toMatchObject({ verdict: 'refuted', path: '/b' })
    expect(decideVerdict(before, after, declared)).toBe('proved')
  })

  test('refutes a removed property only if undeclared properties are refused', () => {
    const before = { type: 'object', properties: { a: text, b: text }, additionalProperties: true }
    const open = { type: 'object', properties: { a: text } }
    expect(decideVerdict(before, open, declared)).toBe('proved')
    const closed = isSubschema(before, { ...open, additionalProperties: false }, declared)
    expect(closed).toMatchObject({ verdict: 'refuted', path: '/b', witness: { b: '' } })
  })

  test('counts properties spread over allOf and $ref as declared together', () => {
    const before = {
      allOf: [{ $ref: '#/$defs/base' }, { properties: { b: text }, required: ['b'] }],
      $defs: { base: { type: 'object', properties: { a: text } } },
    }
    const after = { type: 'object', properties: { a: text, b: { type: 'integer' } } }
    expect(isSubschema(before, after, declared)).toMatchObject({ verdict: 'refuted', witness: { b: '' } })
    expect(decideVerdict(before, { ...after, properties: { a: text, b: text, c: text } }, declared)).toBe(
      'proved',
    )
  })

  test('leaves objects open that list nothing, and those that say what else is allowed', () => {
    expect(decideVerdict({ type: 'object' }, { properties: { a: text } }, declared)).toBe('refuted')
    const typed = { type: 'object', properties: { a: text }, additionalProperties: { type: 'integer' } }
    expect(decideVerdict(typed, { properties: { b: text } }, declared)).toBe('refuted')
  })

  test('closes nothing below not', () => {
    const before = { type: 'object', not: { properties: { a: text } } }
    expect(decideVerdict(before, { required: ['a'] }, declared)).toBe('proved')
  })
})

describe('isSubschema: numbers beyond doubles', () => {
  test('compares numbers beyond doubles exactly', () => {
    const [low, high] = parse('[{"minimum":9007199254740992},{"minimum":9007199254740993}]') as unknown[]
    expect(isSubschema(low, high)).toMatchObject({ verdict: 'refuted', witness: 9007199254740992 })
    expect(decideVerdict(high, low)).toBe('proved')
    const between = isSubschema(
      { type: 'integer', minimum: 9007199254740993n, maximum: 9007199254740993n },
      false,
    )
    expect(between).toMatchObject({ witness: new LosslessNumber('9007199254740993') })
  })

  test('prefers a counterexample that doubles divide as exact numbers do', () => {
    const a = { type: 'number', multipleOf: 0.01, minimum: 0.07, maximum: 0.12 }
    const answer = isSubschema(a, false)
    expect(answer.verdict === 'refuted' && Number.isInteger(Number(answer.witness) / 0.01)).toBe(true)
  })

  test('stays undecided about 1e999999999 instead of filling the memory', () => {
    expect(decideVerdict({ minimum: new LosslessNumber('1e999999999') }, { minimum: 1 })).toBe('unknown')
  })
})

describe('isSubschema: dialects', () => {
  test('reads the list form of items as draft 7, and calls it invalid together with prefixItems', () => {
    const older = { type: 'array', items: [text] }
    const newer = { type: 'array', prefixItems: [text] }
    expect(decideVerdict(older, { type: 'array', items: [{}] })).toBe('proved')
    expect(decideVerdict(older, newer)).toBe('proved')
    expect(decideVerdict(newer, older)).toBe('proved')
    expect(isSubschema({ ...newer, items: [text] }, newer)).toMatchObject({
      verdict: 'invalid',
      side: 'a',
      path: '/items',
    })
    expect(isSubschema(newer, { ...newer, items: [text] })).toMatchObject({ verdict: 'invalid', side: 'b' })
  })

  test('follows a named dialect', () => {
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', items: [text], type: 'array' }
    expect(decideVerdict(draft7, { type: 'array', prefixItems: [text] })).toBe('proved')
    expect(decideVerdict({ $ref: '#/x', x: true, type: 'string' }, text, { dialect: 'draft-07' })).toBe(
      'refuted',
    )
    expect(
      decideVerdict({ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }, { dialect: 'draft-04' }),
    ).toBe('invalid')
    expect(decideVerdict({ minimum: 2, exclusiveMinimum: true }, { minimum: 2 })).toBe('proved')
  })

  test.each([
    [{ type: 'text' }, '/type'],
    [{ minLength: -1 }, '/minLength'],
    [{ properties: { a: { required: true } } }, '/properties/a/required'],
    [{ pattern: '(' }, '/pattern'],
    [{ anyOf: [] }, '/anyOf'],
    [{ multipleOf: 0 }, '/multipleOf'],
    [5, ''],
  ])('calls %j an invalid schema', (schema, path) => {
    expect(isSubschema(schema, true)).toMatchObject({ verdict: 'invalid', side: 'a', path })
  })

  test('knows the meta-schema', () => {
    const meta = { $ref: 'https://json-schema.org/draft/2020-12/schema' }
    expect(decideVerdict(meta, { type: ['object', 'boolean'] })).toBe('proved')
    expect(decideVerdict({ const: { minLength: 1 } }, meta)).toBe('proved')
    expect(decideVerdict({ const: { $defs: { a: { minLength: -1 } } } }, meta)).toBe('refuted')
  })
})

describe('isSubschema: undecidable schemas', () => {
  test('leaves a loop of references undecided, unless the rest of the schema decides', () => {
    const loop = { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/a' }, text] } } }
    expect(decideVerdict(loop, { type: 'string', minLength: 1 })).toBe('unknown')
    expect(decideVerdict(loop, text)).toBe('proved')
    expect(decideVerdict({ $ref: '#' }, { type: 'null' })).toBe('unknown')
  })

  test('leaves unevaluatedItems over a loop of references undecided, with the reason', () => {
    const loop = {
      anyOf: [{ $ref: '#/$defs/a' }],
      unevaluatedItems: text,
      $defs: { a: { anyOf: [{ minItems: 3 }, { $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } },
    }
    const reason = expect.stringMatching(/^the schema at .* refers to itself without end$/)
    expect(isSubschema({ type: 'array' }, loop)).toMatchObject({ verdict: 'unknown', reason })
  })

  test('proves that an outside reference contains itself, and still decides the rest', () => {
    const other = { $ref: 'https://example.com/x' }
    expect(decideVerdict({ properties: { a: other, b: text } }, { properties: { a: other } })).toBe('proved')
    const broken = isSubschema(
      { properties: { a: other, b: text } },
      { properties: { a: other, b: { type: 'null' } } },
    )
    expect(broken).toMatchObject({ verdict: 'refuted', path: '/b' })
  })

  test('proves that a pattern that it cannot analyse matches itself', () => {
    const pattern = { type: 'string', pattern: '^[\\w-.]+$' }
    expect(decideVerdict(pattern, { ...pattern, title: 'x' })).toBe('proved')
    expect(decideVerdict(pattern, { ...pattern, minLength: 1 })).toBe('unknown')
  })
})

describe('isSubschema: hostile schemas', () => {
  const nested = (depth: number, leaf: unknown): unknown => {
    let schema = leaf
    for (let i = 0; i < depth; i += 1) schema = { type: 'object', properties: { x: schema }, required: ['x'] }
    return schema
  }
  const cyclic: { [key: string]: unknown } = { type: 'object' }
  cyclic.properties = { self: cyclic }

  test.each([
    ['nested 30,000 deep', nested(30_000, text), { type: 'object' }],
    ['cyclic in memory', cyclic, { type: 'null' }],
    ['a list of a million', { enum: Array.from({ length: 1_000_000 }, (_, i) => i) }, { type: 'string' }],
    ['an array of a billion items', { type: 'array', minItems: 1e9 }, { maxItems: 5 }],
    ['a pattern with too many states', { pattern: '(a|b)*a(a|b){20}$' }, { pattern: '(a|b)*a(a|b){19}$' }],
    [
      'an allOf of all pairs',
      { oneOf: Array.from({ length: 300 }, (_, i) => ({ minimum: i })) },
      { oneOf: [{}, {}] },
    ],
  ])('ends after few steps for %s, with any clock and after any earlier question', (_, a, b) => {
    const { steps } = defaultProofLimits
    const ask = () => {
      const shared = new Budget({ ...defaultProofLimits, steps: 10 * steps })
      return { answer: isSubschema(a, b, { shared }), used: shared.used }
    }
    const first = ask()
    // A search, a check of what it found, and what the last step cost beyond the limit.
    expect(first.used).toBeLessThan(5 * steps)
    const slow = slowClock()
    try {
      isSubschema({ pattern: '(?<=a)b(c|d)*$' }, { pattern: '(?<=b)c' })
      expect(ask()).toEqual(first)
    } finally {
      slow.restore()
    }
  })

  test('treats names of Object.prototype as plain names', () => {
    const a = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    )
    const b = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"number"}}}')
    const answer = isSubschema(a, b)
    expect(answer).toMatchObject({ verdict: 'refuted', path: '/__proto__' })
    expect(Object.keys((answer as { witness: object }).witness)).toEqual(['__proto__'])
    expect(decideVerdict({ type: 'object' }, { required: ['constructor'] })).toBe('refuted')
  })

  test('does not change the schemas', () => {
    const freeze = <Value>(value: Value): Value => {
      if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) freeze(inner)
      return Object.freeze(value)
    }
    const a = freeze({ properties: { a: { enum: [1, 'x'] } }, allOf: [{ required: ['a'] }] })
    expect(decideVerdict(a, freeze({ properties: { a: { type: 'string' } } }))).toBe('refuted')
  })
})

/** An hour passes whenever somebody asks what time it is. */
function slowClock() {
  let now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 3_600_000
    return now
  })
  return { restore: () => clock.mockRestore() }
}

describe('isSubschema: further schemas', () => {
  const open = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } }

  test('requires a value of A to fit `alsoFits` too, which declare no properties', () => {
    const noB = { not: { required: ['b'] } }
    expect(decideVerdict(open, { not: { required: ['b'] } })).toBe('refuted')
    expect(decideVerdict(open, noB, { alsoFits: [noB] })).toBe('proved')
    // `c` is declared by the other schema only: who keeps to A does not send it.
    const declares = { properties: { c: { type: 'string' } } }
    expect(
      decideVerdict(open, { not: { required: ['c'] } }, { mode: 'declared', alsoFits: [declares] }),
    ).toBe('proved')
  })

  test('gives a counterexample that fits none of `orFits`', () => {
    const answer = isSubschema({ enum: [1, 2, 3] }, { const: 1 }, { orFits: [{ const: 2 }] })
    expect(answer).toMatchObject({ verdict: 'refuted', witness: 3 })
    expect(decideVerdict({ enum: [1, 2] }, { const: 1 }, { orFits: [{ const: 2 }] })).toBe('proved')
  })

  test('keeps recursive schemas with the same name apart', () => {
    const list = (item: object) => ({
      $ref: '#/$defs/L',
      $defs: {
        L: { type: 'object', properties: { next: { $ref: '#/$defs/L' }, item }, additionalProperties: false },
      },
    })
    const [texts, numbers] = [list({ type: 'string' }), list({ type: 'number' })]
    expect(decideVerdict(texts, list({ type: 'string', minLength: 1 }), { alsoFits: [numbers] })).toBe(
      'proved',
    )
    expect(decideVerdict(texts, numbers, { alsoFits: [list({ maxLength: 3 })] })).toBe('refuted')
  })

  test('leaves the question undecided if a further schema is invalid', () => {
    expect(decideVerdict(open, true, { orFits: [{ type: 3 }] })).toBe('unknown')
    expect(decideVerdict(open, { type: 'string' }, { alsoFits: [{ type: 3 }] })).toBe('unknown')
  })
})
