/** Properties that were added, removed or renamed, or became required or optional. */

import { jsonEquals } from '../../json/equality.ts'
import { isObject, own, type UnknownObject } from '../../json/json.ts'
import { definitionKeywords, textKeywords, validationKeywords } from '../../schema/keywords.ts'
import { addedText } from '../../text/cues.ts'
import { nameSimilarity } from '../similarity.ts'
import {
  changed,
  type Edit,
  type Finding,
  inWords,
  keywordEdit,
  type NodePair,
  readNameList,
  readSchemaMap,
  replacement,
  type SchemaRule,
  sides,
  wholeEdit,
} from './schema-rule.ts'

export const properties: SchemaRule = {
  ids: {
    'property-added': 'An optional property was added.',
    'required-property-added': 'A required property was added.',
    'property-removed': 'A property was removed.',
    'property-renamed': 'A property was probably renamed.',
    'required-added': 'An optional property became required.',
    'required-removed': 'A required property became optional.',
  },
  find(pair) {
    const before = readSchemaMap(pair.before, 'properties')
    const after = readSchemaMap(pair.after, 'properties')
    const removed = Object.keys(before).filter(name => !Object.hasOwn(after, name))
    const added = Object.keys(after).filter(name => !Object.hasOwn(before, name))
    const renamed = matchNames(before, removed, after, added)
    const gone = new Set(renamed.map(([beforeName]) => beforeName))
    const come = new Set(renamed.map(([, afterName]) => afterName))
    const settled = new Set([...removed, ...added])
    return [
      ...renamed.map(([beforeName, afterName]) => rename(pair, beforeName, afterName)),
      ...removed.filter(name => !gone.has(name)).map(name => removal(pair, name)),
      ...added.filter(name => !come.has(name)).map(name => addition(pair, name)),
      ...requirements(pair, settled),
    ]
  },
}

function addition(pair: NodePair, name: string): Finding {
  const schema = own(readSchemaMap(pair.after, 'properties'), name)
  const required = readNameList(pair.after, 'required').includes(name)
  const isAssumed = required && pair.direction === 'input' && hasDefault(pair.after, name)
  const assumed = isAssumed
    ? `. It has a default: callers that leave it out get ${describeDefault(pair, name)}`
    : ''
  return {
    rule: required ? 'required-property-added' : 'property-added',
    message: required ? `required property added: ${name}${assumed}` : `optional property added: ${name}`,
    steps: [name],
    edits: [propertyEdit(pair, name), ...requiredEdit(pair, [name])],
    after: schema,
    text: { before: '', after: addedText(schema) },
  }
}

function removal(pair: NodePair, name: string): Finding {
  return {
    rule: 'property-removed',
    message: `property removed: ${name}`,
    steps: [name],
    edits: [propertyEdit(pair, name), ...requiredEdit(pair, [name])],
    before: own(readSchemaMap(pair.before, 'properties'), name),
  }
}

function rename(pair: NodePair, beforeName: string, afterName: string): Finding {
  const schema = own(readSchemaMap(pair.after, 'properties'), afterName)
  return {
    rule: 'property-renamed',
    message: `property probably renamed: ${beforeName} → ${afterName}`,
    steps: [beforeName],
    edits: [
      propertyEdit(pair, beforeName),
      propertyEdit(pair, afterName),
      ...requiredEdit(pair, [beforeName, afterName]),
    ],
    before: { [beforeName]: own(readSchemaMap(pair.before, 'properties'), beforeName) },
    after: { [afterName]: schema },
    text: {
      before: addedText(own(readSchemaMap(pair.before, 'properties'), beforeName)),
      after: addedText(schema),
    },
  }
}

function requirements(pair: NodePair, settled: ReadonlySet<string>): Finding[] {
  const before = readNameList(pair.before, 'required')
  const after = readNameList(pair.after, 'required')
  const findings: Finding[] = []
  for (const name of new Set([...before, ...after])) {
    const was = before.includes(name)
    if (settled.has(name) || was === after.includes(name)) continue
    const lostDefault = !was && hasDefault(pair.before, name) && !hasDefault(pair.after, name)
    const reason = lostDefault ? ' (its default was removed)' : ''
    const isAssumed = !was && pair.direction === 'input' && hasDefault(pair.after, name)
    const assumed = isAssumed
      ? `. It has a default: callers that leave it out get ${describeDefault(pair, name)}`
      : ''
    findings.push({
      rule: was ? 'required-removed' : 'required-added',
      message: was ? `no longer required: ${name}` : `required now: ${name}${reason}${assumed}`,
      steps: [name],
      edits: requiredEdit(pair, [name]),
      before: was ? 'required' : 'optional',
      after: was ? 'optional' : 'required',
    })
  }
  return findings
}

function hasDefault(node: UnknownObject, name: string): boolean {
  const property = own(readSchemaMap(node, 'properties'), name)
  return isObject(property) && Object.hasOwn(property, 'default')
}

function describeDefault(pair: NodePair, name: string): string {
  const property = own(readSchemaMap(pair.after, 'properties'), name)
  return inWords(isObject(property) ? own(property, 'default') : undefined)
}

function propertyEdit(pair: NodePair, name: string): Edit {
  const schemaIn = (node: UnknownObject) => own(readSchemaMap(node, 'properties'), name)
  return replacement(['properties', name], schemaIn(pair.before), schemaIn(pair.after))
}

/** Copies whether each of `names` is required, and keeps the other names. */
function requiredEdit(pair: NodePair, names: readonly string[]): Edit[] {
  const before = readNameList(pair.before, 'required')
  const after = readNameList(pair.after, 'required')
  if (names.every(name => before.includes(name) === after.includes(name))) return []
  const takeFrom = (other: readonly string[]) => (current: unknown) => {
    const others = Array.isArray(current) ? current.filter(name => !names.includes(name)) : []
    const list = [...others, ...other.filter(name => names.includes(name))]
    // Draft-04 forbids an empty list.
    return list.length === 0 ? undefined : list
  }
  return [{ at: ['required'], forward: takeFrom(after), backward: takeFrom(before) }]
}

/** Returns pairs of a removed and an added property that are likely the same; each name is used once. */
function matchNames(
  before: UnknownObject,
  removed: readonly string[],
  after: UnknownObject,
  added: readonly string[],
): (readonly [string, string])[] {
  // If many properties were removed and added, guesses are unreliable and slow.
  if (removed.length * added.length > 400) return []
  const scored = removed.flatMap(beforeName =>
    added.map(afterName => ({
      beforeName,
      afterName,
      score: renameScore(beforeName, before[beforeName], afterName, after[afterName]),
    })),
  )
  const used = new Set<string>()
  const pairs: (readonly [string, string])[] = []
  for (const { beforeName, afterName, score } of scored.toSorted((a, b) => b.score - a.score)) {
    if (score < 0.7 || used.has(`-${beforeName}`) || used.has(`+${afterName}`)) continue
    used.add(`-${beforeName}`).add(`+${afterName}`)
    pairs.push([beforeName, afterName])
  }
  return pairs
}

/** Shorter descriptions may be equal by chance. */
const minSameWords = 4

function renameScore(beforeName: string, before: unknown, afterName: string, after: unknown): number {
  const names = nameSimilarity(beforeName, afterName)
  const sameShape = jsonEquals(withoutText(before), withoutText(after))
  const words = isObject(before) && isObject(after) ? own(before, 'description') : undefined
  const sameWords =
    typeof words === 'string' &&
    words.length >= minSameWords &&
    isObject(after) &&
    own(after, 'description') === words
  return names * 0.6 + (sameShape ? 0.3 : 0) + (sameWords ? 0.4 : 0)
}

function withoutText(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !textKeywords.has(keyword)))
}

/** Compares which properties an object may have besides the listed ones. */
export const additionalProperties: SchemaRule = {
  ids: {
    'additional-properties-closed': 'Undeclared properties are no longer accepted.',
    'additional-properties-opened': 'Undeclared properties are now accepted.',
    'additional-properties-changed': 'The schema of undeclared properties changed.',
  },
  find(pair) {
    if (!changed(pair, 'additionalProperties')) return []
    const before = own(pair.before, 'additionalProperties')
    const after = own(pair.after, 'additionalProperties')
    // If both are schemas, the walk compares them.
    if (isObject(before) && isObject(after)) return []
    const flip = (isOpen(before) || before === false) && (isOpen(after) || after === false)
    // Absent, true and {} mean the same.
    const isSpelling = flip && isOpen(before) && isOpen(after)
    const rule = !flip || isSpelling ? 'changed' : after === false ? 'closed' : 'opened'
    const meaning = isSpelling ? ', no effective change' : ''
    const words =
      rule === 'changed' ? '' : `undeclared fields are ${rule === 'closed' ? 'refused' : 'accepted'} now: `
    return [
      {
        rule: `additional-properties-${rule}`,
        message: `${words}additionalProperties ${word(before)} → ${word(after)}${meaning}`,
        ...(words === '' ? {} : { brief: words.replace(': ', '') }),
        edits: [keywordEdit(pair, 'additionalProperties')],
        ...(flip ? { noise: true, before: word(before), after: word(after) } : sides(before, after)),
      },
    ]
  },
}

function isOpen(value: unknown): boolean {
  return (
    value === undefined ||
    value === true ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  )
}

function word(value: unknown): string {
  return value === undefined ? 'absent' : inWords(value)
}

/** An object whose properties became described or undescribed: one change, not one for each property. */
export const described: SchemaRule = {
  ids: {
    'schema-described': 'An object that accepted any property now declares its properties.',
    'schema-undescribed': 'An object that declared its properties now accepts any property.',
  },
  find(pair) {
    const { before, after } = pair
    const [rule, count] = isBlank(before)
      ? (['schema-described', countProperties(after)] as const)
      : (['schema-undescribed', isBlank(after) ? countProperties(before) : 0] as const)
    if (count === 0) return []
    const properties = `${count} ${count === 1 ? 'property' : 'properties'}`
    const message =
      rule === 'schema-described'
        ? `schema added: ${properties}`
        : `no longer described: ${properties} before`
    return [{ rule, message, edits: [wholeEdit(pair)], whole: true, ...sides(before, after) }]
  },
}

/** Whether the schema says only that the value is an object. */
function isBlank(node: UnknownObject): boolean {
  const type = own(node, 'type')
  return (
    (type === undefined || type === 'object') &&
    Object.keys(node).every(
      keyword => keyword === 'type' || definitionKeywords.has(keyword) || !validationKeywords.has(keyword),
    )
  )
}

function countProperties(node: UnknownObject): number {
  const properties = own(node, 'properties')
  return typeof properties === 'object' && properties !== null ? Object.keys(properties).length : 0
}
