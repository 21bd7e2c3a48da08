/** Finds declared properties that a change of alternatives refuses, by trying values: no rule covers each property. */

import type { Budget } from '../../compat/proof-limits.ts'
import { sampleValue } from '../../form/sample.ts'
import { isObject, type Json, own, type UnknownObject } from '../../json/json.ts'
import { pointerSegments, pointerStep, withPart } from '../../json/pointer.ts'
import { consumerSchema } from '../../schema/caller-schema.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import { pseudoRandom } from '../../validation/random.ts'
import { createSchemaValidator } from '../../validation/schema-validator.ts'
import { ask, type ContainmentQuestion } from './containment.ts'
import type { Inlined } from './inline-refs.ts'
import type { Cause } from './walk-pair.ts'

/**
 * Limits: levels of properties below the change, tried properties, samples of each side, and values that both accept.
 */
const maxLevels = 3
const maxProperties = 60
const samplesOfASide = 3
const maxBases = 4
const sampleSteps = 10_000

/**
 * Returns JSON Pointers of the properties below the change that make a value fail which both sides accept without them;
 * empty if none is found. Says nothing about other properties.
 */
export function findRefusedParts(
  { path, nodes }: Cause,
  question: ContainmentQuestion,
  pair: readonly [Inlined, Inlined],
): readonly string[] {
  if (nodes === undefined) return []
  const { inner, outer, orOuter = [], direction, budget } = question
  const sides = [complete(nodes.before, pair), complete(nodes.after, pair)] as const
  const innerNode = direction === 'input' ? sides[0] : sides[1]
  const declared = [...declaredIn(innerNode)].slice(0, maxProperties)
  if (declared.length === 0) return []
  const common = ask({ ...question, outer: false, orOuter: [] }, 'strict', { alsoFits: [outer] })
  if (common.verdict !== 'refuted') return []
  const segments = pointerSegments(path)
  const insertPart = (part: unknown) => withPart(common.witness, segments, part)
  const accepts = inner.map(view => createAcceptCheck(view, budget))
  const isSent = (whole: unknown) => accepts.some(isValid => isValid(whole))
  const takers = [direction === 'output' ? consumerSchema(outer) : outer, ...orOuter].map(each =>
    createAcceptCheck(each, budget),
  )
  const isTaken = (whole: unknown) => takers.some(isValid => isValid(whole))
  const bases = different(sides.flatMap(generateSamples))
    .filter(sample => isTaken(insertPart(sample)) && isSent(insertPart(sample)))
    .slice(0, maxBases)
  if (bases.length === 0) return []
  const fails = (base: unknown, at: readonly string[], part: unknown) => {
    const whole = insertPart(withPart(base, at, part))
    return !isTaken(whole) && isSent(whole)
  }
  return declared
    .filter(({ at, schema }) => {
      const parts = different(listValuesOrSamples(schema, innerNode))
      return bases.some(base => hasParent(base, at) && parts.some(part => fails(base, at, part)))
    })
    .map(({ at }) => path + at.map(pointerStep).join(''))
}

/** Returns each value once. */
function different(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()]
}

function createAcceptCheck(schema: JsonSchema, budget: Budget): (value: unknown) => boolean {
  const validate = createSchemaValidator(schema, { budget, assertsFormats: false })
  return value => validate(value as Json).verdict === 'valid'
}

/** Returns the node as a separate schema, with the definitions for its references. */
function complete(node: UnknownObject, pair: readonly [Inlined, Inlined]): UnknownObject {
  return { ...node, $defs: Object.assign({}, ...pair.map(side => side.definitions)) }
}

function generateSamples(schema: UnknownObject): unknown[] {
  const options = { steps: sampleSteps }
  return [
    sampleValue(schema, { ...options, optional: 'none' }),
    sampleValue(schema, { ...options, optional: 'all' }),
    ...Array.from({ length: samplesOfASide }, (_, seed) =>
      sampleValue(schema, { ...options, optional: 'some', random: pseudoRandom(seed) }),
    ),
  ]
}

interface Declared {
  readonly at: readonly string[]
  readonly schema: unknown
}

function* declaredIn(node: unknown, at: readonly string[] = []): Generator<Declared> {
  if (!isObject(node) || at.length > maxLevels) return
  const properties = own(node, 'properties')
  if (isObject(properties))
    for (const [name, schema] of Object.entries(properties)) {
      yield { at: [...at, name], schema }
      yield* declaredIn(schema, [...at, name])
    }
  yield* declaredIn(own(node, 'items'), [...at, '*'])
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const branches = own(node, keyword)
    if (Array.isArray(branches)) for (const branch of branches) yield* declaredIn(branch, at)
  }
}

function listValuesOrSamples(schema: unknown, root: UnknownObject): readonly unknown[] {
  const listed = isObject(schema) ? own(schema, 'enum') : undefined
  if (Array.isArray(listed)) return listed
  return generateSamples(isObject(schema) ? { ...schema, $defs: own(root, '$defs') } : {})
}

function hasParent(base: unknown, at: readonly string[]): boolean {
  let inner = base
  for (const step of at.slice(0, -1)) {
    if (Array.isArray(inner)) inner = inner[0]
    else if (isObject(inner)) inner = own(inner, step)
    else return false
  }
  return isObject(inner)
}
