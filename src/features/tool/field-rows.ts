import type { FormNode } from '../../../core/form/form-node.ts'
import { type FormPlanner, getFormPlanner } from '../../../core/form/form-schema.ts'
import { isObject, type Json, jsonType, own } from '../../../core/json/json.ts'
import { writeJson } from '../../../core/json/json-text.ts'
import { planSchema } from '../../../core/prompt/usage-line.ts'
import { rangeText } from '../../../core/schema/describe.ts'
import { writtenBound } from '../../../core/schema/keywords.ts'
import type { SchemaObject } from '../../../core/schema/schema.ts'
import { plainLine, plainText, visibleName } from '../../../core/text/plain-text.ts'
import { counted, listWords, shorten } from '../../../core/text/wording.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'

/** One row in the table of a schema's fields. */
export interface FieldRow {
  /** Unique in its schema, and stable when other rows are opened or closed. */
  readonly key: string
  readonly part: FieldPart
  /** 0 at the top. */
  readonly depth: number
  readonly node: FormNode
  readonly hasParts: boolean
  readonly isOpen: boolean
}

/** Rows that are open initially: those of the first levels, with few parts, that repeat no row above. */
const maxOpenDepth = 2
const maxOpenParts = 20

/** Reads the rows of one schema. It plans only the rows that are shown. */
export class FieldReader {
  readonly planner: FormPlanner
  readonly root: FormNode
  private readonly parts = new Map<FormNode, readonly FieldPart[]>()

  constructor(schema: JsonSchema) {
    this.planner = getFormPlanner(schema)
    this.root = planSchema(this.planner, schema)
  }

  /**
   * Returns the first `max` rows in reading order, and whether there are more. Never throws.
   * @param toggled rows that the user opened (true) or closed, by their keys
   */
  read(toggled: ReadonlyMap<string, boolean>, max: number): { rows: FieldRow[]; hasMore: boolean } {
    const rows: FieldRow[] = []
    for (const row of this.rowsBelow(this.root, '', [], toggled)) {
      if (rows.length === max) return { rows, hasMore: true }
      rows.push(row)
    }
    return { rows, hasMore: false }
  }

  private *rowsBelow(
    parent: FormNode,
    parentKey: string,
    above: readonly FormNode[],
    toggled: ReadonlyMap<string, boolean>,
  ): Generator<FieldRow> {
    const ancestors = [...above, parent]
    for (const [index, part] of this.partsOf(parent).entries()) {
      const key = `${parentKey}/${index}`
      const node = planSchema(this.planner, part.schema)
      const inner = this.partsOf(node)
      const isOpen =
        inner.length > 0 &&
        (toggled.get(key) ??
          (above.length < maxOpenDepth && inner.length <= maxOpenParts && !ancestors.includes(node)))
      yield { key, part, depth: above.length, node, hasParts: inner.length > 0, isOpen }
      if (isOpen) yield* this.rowsBelow(node, key, ancestors, toggled)
    }
  }

  private partsOf(node: FormNode): readonly FieldPart[] {
    const parts = this.parts.get(node) ?? listParts(this.planner, node)
    this.parts.set(node, parts)
    return parts
  }
}

/* The parts one level below a schema: the fields of an object, the items of a list, the variants of a union. */

interface FieldPart {
  readonly name: string
  /** False if `name` is our own label (`each item`), not the schema's. */
  readonly isName: boolean
  readonly required: boolean
  readonly schema: JsonSchema
}

const maxNameCharacters = 200
const eachItem = 'each item'

function part(name: string, schema: JsonSchema, isName = false, required = false): FieldPart {
  return { name: shorten(visibleName(name), maxNameCharacters), isName, required, schema }
}

/** Returns the parts in the author's order, one level deep. Never throws. */
function listParts(planner: FormPlanner, node: FormNode): FieldPart[] {
  switch (node.kind) {
    case 'object':
      return [
        ...node.properties.map(property => part(property.name, property.schema, true, property.required)),
        ...node.patterns.map(({ pattern, schema }) => part(`keys like ${pattern}`, schema)),
        ...(typeof node.additional === 'object' ? [part('other keys', node.additional)] : []),
        ...node.conditionals.flatMap(conditional => [
          part('if', conditional.if),
          ...(conditional.then === true ? [] : [part('then', conditional.then)]),
          ...(conditional.else === true ? [] : [part('else', conditional.else)]),
        ]),
        ...node.dependentSchemas.map(([key, schema]) => part(`with ${key}`, schema)),
      ]
    case 'array':
      return [
        ...node.prefix.map((schema, index) => part(`item ${index + 1}`, schema)),
        ...itemParts(planner, node.items, node.prefix.length > 0 ? 'further items' : eachItem),
      ]
    case 'union':
      return node.branches.map(branch => part(`variant: ${plainLine(branch.label)}`, branch.schema))
    default:
      return []
  }
}

/** Returns the parts of the items. The fields of plain objects follow directly: a row between would repeat "object". */
function itemParts(planner: FormPlanner, schema: JsonSchema, name: string): FieldPart[] {
  const items = planSchema(planner, schema)
  const isDescribed = items.schema.description !== undefined
  if (items.kind === 'object' && !isDescribed && name === eachItem) return listParts(planner, items)
  const isMoreThanItsType = ['object', 'array', 'union', 'enum'].includes(items.kind) || isDescribed
  return isMoreThanItsType ? [part(name, schema)] : []
}

/* One level of a schema in plain words. All texts are safe to show. */

const maxValueCharacters = 500
const maxDescriptionCharacters = 10_000
const maxExamples = 5
const maxTypeDepth = 3

/** Returns the type in words: `array of integer`, `number or null`, `always "rolling"`, `one of 3 variants`. */
export function typeWords(planner: FormPlanner, node: FormNode, depth = 0): string {
  const type = depth > maxTypeDepth ? '…' : bareType(planner, node, depth)
  return node.nullable ? `${type} or null` : type
}

function bareType(planner: FormPlanner, node: FormNode, depth: number): string {
  const inner = (schema: JsonSchema) => typeWords(planner, planSchema(planner, schema), depth + 1)
  switch (node.kind) {
    case 'never':
      return 'nothing'
    case 'any':
      return 'any JSON'
    case 'const':
      return `always ${valueText(node.value)}`
    case 'enum':
      return listWords([...new Set(node.options.map(({ value }) => jsonType(value)))])
    case 'union':
      return `one of ${node.branches.length} variants`
    case 'number':
      return node.integer ? 'integer' : 'number'
    case 'array':
      return node.prefix.length > 0 || typeof node.items === 'boolean'
        ? 'array'
        : `array of ${inner(node.items)}`
    case 'object': {
      const isMap = node.properties.length === 0 && typeof node.additional === 'object'
      return isMap ? `map of ${inner(node.additional)}` : 'object'
    }
    default:
      return node.kind
  }
}

export function formatDescription({ schema }: FormNode): string {
  const { description } = schema
  return typeof description === 'string'
    ? plainText(shorten(description, maxDescriptionCharacters)).trim()
    : ''
}

/** Returns the default as JSON on one line; undefined without a default. */
export function formatDefault({ schema }: FormNode): string | undefined {
  return schema.default === undefined ? undefined : valueText(schema.default)
}

/** Returns the author's own examples as JSON, at most five. */
export function listExamples({ schema: { examples, example } }: FormNode): string[] {
  const offered = Array.isArray(examples) ? examples : example === undefined ? [] : [example]
  return offered.slice(0, maxExamples).map(valueText)
}

export interface FixedValue {
  /** JSON on one line. */
  readonly text: string
  /** The author's description of the value; empty without one. */
  readonly about: string
}

/** Returns the allowed values of a field, or the suggestions for a text; empty without a list. */
export function listFixedValues(node: FormNode): FixedValue[] {
  if (node.kind === 'string') return node.suggestions.map(value => ({ text: valueText(value), about: '' }))
  if (node.kind !== 'enum') return []
  return node.options.map(({ value, label, description = '' }) => {
    const text = valueText(value)
    const isOwnLabel = label !== value && label !== text
    return { text, about: [isOwnLabel ? label : '', description].filter(Boolean).map(plainLine).join(': ') }
  })
}

/** Matches a text that JSON does not escape: most are, and enums are long. */
const isPlain = /^[ !#-[\]-~]*$/

function valueText(value: unknown): string {
  if (typeof value === 'string' && value.length < maxValueCharacters && isPlain.test(value))
    return `"${value}"`
  let text: string
  try {
    text = writeJson(value as Json, 0)
  } catch {
    return '…'
  }
  return shorten(plainLine(text), maxValueCharacters)
}

const maxLimitCharacters = 500
const maxPatternWithFormat = 40

/** Returns the limits of one level: `1–50`, `pattern ^b-[0-9]+$`, `at least 1 item`, `no other keys` … */
export function describeLimits({ schema, kind }: Pick<FormNode, 'schema' | 'kind'>): string[] {
  const found = [
    worded('format', own(schema, 'format')),
    worded('pattern', pickPattern(schema)),
    rangeText(schema, 'minimum', 'maximum'),
    countRange(schema, 'minLength', 'maxLength', 'character'),
    countRange(schema, 'minItems', 'maxItems', 'item'),
    countRange(schema, 'minProperties', 'maxProperties', 'key'),
    numberText(own(schema, 'multipleOf'), step => `a multiple of ${step}`),
    own(schema, 'uniqueItems') === true && 'unique items',
    worded('content', own(schema, 'contentMediaType')),
    worded('encoded as', own(schema, 'contentEncoding')),
    keyNames(own(schema, 'propertyNames')),
    kind === 'object' && own(schema, 'additionalProperties') === false && 'no other keys',
    own(schema, 'readOnly') === true && 'read-only',
    own(schema, 'writeOnly') === true && 'write-only',
    own(schema, 'deprecated') === true && 'deprecated',
  ]
  return found.filter(words => typeof words === 'string')
}

/** Returns the pattern, unless it is long and next to a format: a generator writes both for the same rule. */
function pickPattern(schema: SchemaObject): unknown {
  const pattern = own(schema, 'pattern')
  const isOfFormat = typeof own(schema, 'format') === 'string'
  return isOfFormat && typeof pattern === 'string' && pattern.length > maxPatternWithFormat
    ? undefined
    : pattern
}

function worded(word: string, value: unknown): string | undefined {
  return typeof value === 'string' && value !== ''
    ? `${word} ${shorten(plainLine(value), maxLimitCharacters)}`
    : undefined
}

function keyNames(schema: unknown): string | undefined {
  return isObject(schema) ? worded('keys like', own(schema, 'pattern')) : undefined
}

function numberText(value: unknown, words: (value: number) => string): string | undefined {
  return typeof value === 'number' ? words(value) : undefined
}

function countRange(schema: SchemaObject, min: string, max: string, noun: string): string | undefined {
  const plural = (count: number) => counted(count, noun)
  const [low = 0, high] = [writtenBound(schema, min), writtenBound(schema, max)]
  if (high !== undefined)
    return low === high ? plural(high) : low > 0 ? `${low}–${plural(high)}` : `at most ${plural(high)}`
  return low > 0 ? `at least ${plural(low)}` : undefined
}
