/**
 * Generates inputs of a tool from its input schema: valid ones at each boundary, and for each constraint an invalid one
 * that breaks only this constraint. The same schema, seed and maximum give the same inputs.
 */

import { isSubschema } from '../compat/is-subschema.ts'
import { canonicalJson } from '../json/equality.ts'
import {
  isJsonNumber,
  isObject,
  type Json,
  jsonText,
  jsonType,
  numberText,
  type UnknownObject,
  withoutUndefined,
} from '../json/json.ts'
import { pointerSegments, pointerStep, toPointer, valueAt, withPart } from '../json/pointer.ts'
import { callerSchema } from '../schema/caller-schema.ts'
import { keywords } from '../schema/keywords.ts'
import { resolveRef } from '../schema/schema-document.ts'
import type { Slices } from '../slices.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { pseudoRandom } from '../validation/random.ts'
import { boundaryValues } from './boundary-values.ts'
import { breakingValues } from './breaking-values.ts'
import { type Constraint, listConstraints, otherFailures, type SiteConstraint } from './constraints.ts'
import { createInputChecks, type InputChecks } from './input-checks.ts'
import { maxCopies, type SchemaSite, schemaSites } from './schema-sites.ts'

export interface GeneratedInput {
  readonly input: Json
  readonly kind: 'valid' | 'invalid'
  /** The constraint at whose boundary a valid input is, or that an invalid one breaks. */
  readonly constraint: Constraint
  /** One sentence. */
  readonly why: string
  /** JSON Pointer into the input: the field that a good error names. `''` is the whole input. */
  readonly field: string
  /**
   * JSON Pointer into the input: a part around the field that an error may name instead, because the field is a branch of
   * a union or a name that is not allowed.
   */
  readonly container?: string
  /**
   * Other constraints that an invalid input breaks, as `pointer keyword`, because no value was found that keeps them.
   * Empty in most cases. They are about the same field.
   */
  readonly alsoBreaks: readonly string[]
  /** The input has a number that a double changes, so a validator that computes with doubles cannot confirm it. */
  readonly isBeyondDoubles: boolean
}

/** How many parts of the schema there are, and how many of them the inputs exercise. */
export interface CoverageCount {
  readonly total: number
  readonly exercised: number
}

export interface SchemaCoverage {
  /** A constraint is exercised if an invalid input breaks it. */
  readonly constraints: CoverageCount
  /** Branches of unions and conditions: exercised if a valid input takes them. */
  readonly branches: CoverageCount
  readonly enumValues: CoverageCount
}

/** A constraint without an invalid input. */
export interface UnknownConstraint {
  readonly constraint: Constraint
  readonly reason: string
}

export interface GeneratedInputs {
  /** The smallest valid input first, then those of each constraint, in the order of the schema. */
  readonly inputs: readonly GeneratedInput[]
  readonly coverage: SchemaCoverage
  /** For each exercised branch, the valid input that takes it. */
  readonly branchInputs: readonly GeneratedInput[]
  readonly unknowns: readonly UnknownConstraint[]
  /** Present if no valid input was found, with the reason: the schema is broken or allows nothing. */
  readonly problem?: string
}

export interface GenerateOptions {
  /** 1 by default. */
  readonly seed?: number
  /** Maximum inputs; 400 by default, fewer if a valid input has thousands of values. Invalid inputs come before the boundaries of valid ones if not all fit. */
  readonly maxInputs?: number
}

const defaultMaxInputs = 400
/** Values that are tried for one constraint. */
const maxTries = 60
/** Questions to the containment engine about constraints that no tried value breaks. */
const maxProofs = 8
const proofSteps = 20_000
/** Valid inputs with random optional fields. */
const randomInputs = 3

/**
 * Generates inputs for the schema as a caller sees it: a required property with a default may be absent. Never throws. A
 * schema of thousands of properties takes seconds, so the work is in slices.
 * Patterns with look-arounds need `loadMatchersFor(jsonText(schema))` (core/validation/safe-pattern.ts) first; with
 * `loadPatterns` (core/compat/pattern.ts) more patterns have an input at each limit of their length.
 */
export function generateInputs(schema: JsonSchema, options: GenerateOptions = {}): Slices<GeneratedInputs> {
  return new Generator(createInputChecks(callerSchema(schema)), options).generate()
}

class Generator {
  private readonly checks: InputChecks
  private readonly options: GenerateOptions
  private readonly inputs: GeneratedInput[] = []
  private readonly texts = new Map<string, GeneratedInput>()
  private readonly constraints = new Map<string, UnknownConstraint | undefined>()
  /** For each branch, the valid input that takes it, if one was found. */
  private readonly branches = new Map<object, Json | undefined>()
  private readonly absorbed = new Map<object, boolean>()
  private readonly enumValues = { total: 0, exercised: 0 }
  private proofs = 0
  private maxInputs: number

  constructor(checks: InputChecks, options: GenerateOptions) {
    this.checks = checks
    this.options = options
    this.maxInputs = options.maxInputs ?? defaultMaxInputs
  }

  *generate(): Slices<GeneratedInputs> {
    const { root } = this.checks
    const smallest = this.sampleRoot('none')
    const full = this.sampleRoot('all')
    const base = smallest ?? full
    if (base === undefined)
      return { ...this.summarize(), problem: this.checks.problem ?? 'no valid input was found' }
    this.maxInputs = Math.min(this.maxInputs, maxCopies(base))
    const whole = { pointer: '', keyword: 'type', value: 'object' }
    const sites: SchemaSite[] = []
    for (const site of schemaSites(base, this.checks)) yield sites.push(site)
    this.addValid(base, whole, '', 'Only the required fields.')
    if (full !== undefined) this.addValid(full, whole, '', 'All fields.')
    for (const site of sites) yield* this.breakSite(site)
    for (const site of sites) yield this.addBoundaries(site)
    const random = pseudoRandom(this.options.seed ?? 1)
    for (let index = 0; index < randomInputs; index++) {
      const input = this.checks.sample(root, { random, optional: 'some' })
      if (isObject(input) && this.checks.isValid(input))
        this.addValid(input, whole, '', 'Some of the optional fields, by the seed.')
    }
    return this.summarize()
  }

  private sampleRoot(optional: 'none' | 'all'): Json | undefined {
    const input = this.checks.sample(this.checks.root, { optional })
    return isObject(input) && this.checks.isValid(input) ? input : undefined
  }

  private summarize(): GeneratedInputs {
    const unknowns = [...this.constraints.values()].filter(unknown => unknown !== undefined)
    const { size } = this.constraints
    // An input that was found is not sent if the maximum was reached before.
    const branchInputs = [...this.branches.values()].flatMap(base =>
      base === undefined ? [] : (this.texts.get(canonicalJson(base)) ?? []),
    )
    return {
      inputs: this.inputs,
      coverage: {
        constraints: { total: size, exercised: size - unknowns.length },
        branches: { total: this.branches.size, exercised: branchInputs.length },
        enumValues: { ...this.enumValues },
      },
      branchInputs,
      unknowns,
    }
  }

  private get isFull(): boolean {
    return this.inputs.length >= this.maxInputs
  }

  private addValid(input: Json, constraint: Constraint, field: string, why: string): void {
    this.add({ input, kind: 'valid', constraint, why, field, alsoBreaks: [] })
  }

  /** Returns whether the input is one of those that are sent. */
  private add(found: Omit<GeneratedInput, 'isBeyondDoubles'>): boolean {
    const text = canonicalJson(found.input)
    if (this.texts.has(text)) return true
    if (this.isFull) return false
    const input = { ...found, isBeyondDoubles: isBeyondDoubles(found.input) }
    this.texts.set(text, input)
    this.inputs.push(input)
    return true
  }

  /* Invalid inputs. */

  private *breakSite(site: SchemaSite): Slices<void> {
    const { schema, pointer, path, base, isBranch } = site
    if (isBranch) this.branches.set(schema, this.branches.get(schema) ?? base)
    for (const constraint of listConstraints(schema, pointer, path.length === 0)) {
      const key = constraintKey(constraint)
      if (this.constraints.has(key) && this.constraints.get(key) === undefined) continue
      if (this.isFull) this.markUnknown(constraint, tooMany)
      else if (base === undefined && this.isAbsorbed(site)) continue
      else if (base === undefined) this.markUnknown(constraint, 'no valid input was found that reaches it')
      else if (!this.breakConstraint(constraint, site, base) && !this.isAbsorbed(site))
        this.decideByProof(constraint)
      yield
    }
  }

  private markUnknown(constraint: SiteConstraint, reason: string): void {
    this.constraints.set(constraintKey(constraint), { constraint: toConstraint(constraint), reason })
  }

  private breakConstraint(constraint: SiteConstraint, { path, union }: SchemaSite, base: Json): boolean {
    const around = constraint.keyword === 'propertyNames' ? (union ?? path) : union
    const container = around === undefined ? {} : { container: toPointer(around) }
    const start = this.valueFor(constraint, valueAt(base, path) as Json)
    let best: Omit<GeneratedInput, 'isBeyondDoubles'> | undefined
    let tries = 0
    for (const { value, member, isSecond } of breakingValues(constraint, start, this.checks)) {
      if (++tries > maxTries) break
      const input = withPart(base, path.map(String), value) as Json
      if (!isObject(input)) continue
      const others = otherFailures(this.checks.check(input) ?? [], constraint)
      if (others === undefined) continue
      const field = toPointer(member === undefined ? path : [...path, member])
      const isSameField = others.every(other => other.path === field || other.path.startsWith(`${field}/`))
      if (!isSameField || (best && best.alsoBreaks.length <= others.length)) continue
      const alsoBreaks = others.map(({ schemaPath, keyword }) => `${schemaPath} ${keyword}`)
      const why = describeBreak(constraint, field)
      const found = { input, constraint: toConstraint(constraint), why, field, ...container, alsoBreaks }
      if (isSecond && others.length === 0) this.add({ ...found, kind: 'invalid' })
      if (isSecond) continue
      best = { ...found, kind: 'invalid' }
      if (others.length === 0) break
    }
    if (best === undefined) return false
    if (this.add(best)) this.constraints.set(constraintKey(constraint), undefined)
    else this.markUnknown(constraint, tooMany)
    return true
  }

  /** Returns a value of the type that the keyword applies to, because a union of types may have another base. */
  private valueFor({ keyword, schema }: SiteConstraint, value: Json): Json {
    const type = keywords.get(keyword)?.type
    if (type === undefined || jsonType(value) === type) return value
    const typed = this.checks.sample({ allOf: [schema, { type }] } as JsonSchema)
    return jsonType(typed) === type && this.checks.isValid(typed, schema as JsonSchema) ? typed : value
  }

  /**
   * Returns whether the schema is inside a branch of `anyOf` whose values all match another branch. Then its constraints
   * have no effect and do not count.
   */
  private isAbsorbed({ alternatives }: SchemaSite): boolean {
    return alternatives.some(({ branch, rivals }) => {
      if (!isObject(branch)) return false
      const known = this.absorbed.get(branch)
      if (known !== undefined) return known
      const { $defs, definitions, $schema } = this.checks.root as UnknownObject
      const context = withoutUndefined({ $defs, definitions, $schema })
      // Only the type of the branch counts: the question is whether other branches accept what breaks its other rules.
      const target = typeof branch.$ref === 'string' ? resolveRef(this.checks.root, branch.$ref) : branch
      const { type } = isObject(target) ? (target as UnknownObject) : {}
      const values = { ...context, ...withoutUndefined({ type }) }
      const limits = { steps: proofSteps }
      const { verdict } = isSubschema(values, { ...context, anyOf: rivals }, { limits })
      const isAny = rivals.length > 0 && verdict === 'proved'
      this.absorbed.set(branch, isAny)
      return isAny
    })
  }

  /**
   * Asks whether the schema without the constraint allows more. If not, the constraint has no effect and does not count;
   * otherwise the engine gives an input that breaks it.
   */
  private decideByProof(constraint: SiteConstraint): void {
    const { root } = this.checks
    const giveUp = () => this.markUnknown(constraint, 'no tried value breaks only this')
    if (this.proofs >= maxProofs) {
      giveUp()
      return
    }
    this.proofs += 1
    const without = withoutConstraint(root, constraint)
    const limits = { steps: proofSteps }
    const decided = isSubschema({ allOf: [without, { type: 'object' }] }, root, { limits })
    if (decided.verdict === 'proved') {
      this.constraints.delete(constraintKey(constraint))
      return
    }
    const witness = decided.verdict === 'refuted' ? (decided.witness as Json) : undefined
    const others =
      witness === undefined ? undefined : otherFailures(this.checks.check(witness) ?? [], constraint)
    if (decided.verdict !== 'refuted' || witness === undefined || others?.length !== 0) {
      giveUp()
      return
    }
    this.constraints.set(constraintKey(constraint), undefined)
    const field = decided.path
    const why = describeBreak(constraint, field)
    this.add({
      input: witness,
      kind: 'invalid',
      constraint: toConstraint(constraint),
      why,
      field,
      alsoBreaks: [],
    })
  }

  /* Valid inputs. */

  private addBoundaries(site: SchemaSite): void {
    const { schema, pointer, path, base } = site
    const listed = Array.isArray(schema.enum) ? schema.enum.length : 0
    this.enumValues.total += listed
    if (base === undefined) return
    const at = toPointer(path)
    const name = at || 'The input'
    this.addValid(base, { pointer, keyword: 'properties', value: undefined }, at, `${name}: present.`)
    for (const { value, keyword, words } of boundaryValues(
      schema,
      valueAt(base, path) as Json,
      this.checks,
    )) {
      if (this.isFull) return
      const input = withPart(base, path.map(String), value) as Json
      if (!isObject(input) || !this.checks.isValid(input)) continue
      if (!this.checks.isValid(value, schema as JsonSchema)) continue
      if (keyword === 'enum') this.enumValues.exercised += 1
      this.addValid(input, { pointer, keyword, value: schema[keyword] }, at, `${name}: ${words}.`)
    }
  }
}

const tooMany = 'there are more constraints than the maximum of inputs'

function toConstraint({ pointer, keyword, value }: SiteConstraint): Constraint {
  return { pointer, keyword, value }
}

function constraintKey({ pointer, keyword, value, because }: SiteConstraint): string {
  const name =
    keyword === 'required' || keyword === 'properties' || because !== undefined ? String(value) : ''
  return `${pointer} ${keyword} ${name} ${because ?? ''}`
}

const maxQuote = 60

function describeBreak({ keyword, value, because }: SiteConstraint, field: string): string {
  const name = field || 'the input'
  switch (keyword) {
    case 'required':
      return `${name} is missing, which is required.`
    case 'dependentRequired':
    case 'dependencies':
      return `${name} is missing, which is required with ${JSON.stringify(because)}.`
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'properties':
      return `${name} is a property that is not allowed.`
    default: {
      const text = jsonText(value) ?? ''
      return `${name} breaks ${keyword} ${text.length > maxQuote ? `${text.slice(0, maxQuote)}…` : text}.`
    }
  }
}

/** Returns a copy of the root without the keyword of a constraint, or without one name of it. */
function withoutConstraint(
  root: JsonSchema,
  { pointer, keyword, schema, value, because }: SiteConstraint,
): unknown {
  const { [keyword]: current, ...rest } = schema
  const steps = pointerSegments(pointer)
  const others = (names: unknown) => (Array.isArray(names) ? names.filter(name => name !== value) : names)
  if (keyword === 'required') return withPart(root, steps, { ...rest, [keyword]: others(current) })
  if (keyword === 'properties')
    return withPart(root, pointerSegments(`${pointer}/properties${pointerStep(String(value))}`), true)
  if (because === undefined || !isObject(current)) return withPart(root, steps, rest)
  return withPart(root, steps, { ...rest, [keyword]: { ...current, [because]: others(current[because]) } })
}

/** Whether a double changes a number in the value. */
function isBeyondDoubles(value: Json): boolean {
  if (isJsonNumber(value))
    return typeof value === 'object' && numberText(value) !== String(Number(value.value))
  if (Array.isArray(value)) return value.some(isBeyondDoubles)
  return isObject(value) && Object.values(value).some(isBeyondDoubles)
}
