/** Fixed lists of values: `enum`, `const`, and `anyOf` of consts, which some generators write instead. */

import { jsonIncludes } from '../../json/equality.ts'
import { isObject, jsonType, own, type UnknownObject } from '../../json/json.ts'
import { textKeywords } from '../../schema/keywords.ts'
import { nameSimilarity } from '../similarity.ts'
import {
  type Edit,
  type Finding,
  inWords,
  keywordEdit,
  listInWords,
  type NodePair,
  type SchemaRule,
  sides,
  wholeEdit,
} from './schema-rule.ts'

export const valuesRule: SchemaRule = {
  ids: {
    'enum-values-removed': 'Values were removed from an enum.',
    'enum-values-added': 'Values were added to an enum.',
    'enum-value-renamed': 'A value of an enum was probably renamed.',
    'enum-added': 'An enum was added: only its values are accepted.',
    'enum-removed': 'The enum was removed: other values are accepted too.',
    'enum-form': 'The same values are written differently.',
  },
  find(pair) {
    const before = readListedValues(pair.before)
    const after = readListedValues(pair.after)
    if (before && after) return compare(pair, before, after)
    if (before?.form === 'anyOf' || after?.form === 'anyOf') return []
    if (after) return [limitFinding(pair, 'enum-added', `limited to ${listInWords(after.values)}`)]
    if (before)
      return [limitFinding(pair, 'enum-removed', `no longer limited to ${listInWords(before.values)}`)]
    return []
  },
}

interface AllowedValues {
  readonly form: 'enum' | 'const' | 'anyOf'
  readonly values: readonly unknown[]
}

/** Returns the values in a node's list; undefined without a list. */
export function readListedValues(node: UnknownObject): AllowedValues | undefined {
  const types = [own(node, 'type')].flat().filter(type => typeof type === 'string')
  const allows = (value: unknown) => types.length === 0 || types.some(type => hasType(value, type))
  const listed = own(node, 'enum')
  // A value that the `type` next to the list excludes is not allowed, even if the list has it.
  if (Object.hasOwn(node, 'const')) {
    const isListed = Array.isArray(listed) ? jsonIncludes(listed) : () => true
    return { form: 'const', values: [node.const].filter(value => allows(value) && isListed(value)) }
  }
  if (Array.isArray(listed)) return { form: 'enum', values: listed.filter(allows) }
  const branches = own(node, 'anyOf') ?? own(node, 'oneOf')
  if (!Array.isArray(branches) || branches.length === 0) return undefined
  if (!branches.every(branch => isObject(branch) && Object.hasOwn(branch, 'const') && isPlain(branch)))
    return undefined
  return { form: 'anyOf', values: branches.map(branch => (branch as UnknownObject).const) }
}

const plain: ReadonlySet<string> = new Set(['const', 'type', ...textKeywords])
const isPlain = (branch: UnknownObject) => Object.keys(branch).every(keyword => plain.has(keyword))

function compare(pair: NodePair, before: AllowedValues, after: AllowedValues): Finding[] {
  const [isBefore, isAfter] = [jsonIncludes(before.values), jsonIncludes(after.values)]
  const removed = before.values.filter(value => !isAfter(value))
  const added = after.values.filter(value => !isBefore(value))
  const bothSides = sides(before.values, after.values)
  if (removed.length === 0 && added.length === 0) {
    if (before.form === after.form) return []
    const message = `the same allowed values, written as ${after.form} instead of ${before.form}`
    const forms = { before: before.form, after: after.form }
    // The type next to it may be added or removed with the form; that is not a separate change.
    return [{ rule: 'enum-form', message, edits: [wholeEdit(pair)], noise: true, whole: true, ...forms }]
  }
  const [[firstRemoved], [firstAdded]] = [removed, added]
  if (removed.length === 1 && added.length === 1 && areSimilar(firstRemoved, firstAdded))
    return [
      {
        rule: 'enum-value-renamed',
        message: `allowed value renamed: ${inWords(firstRemoved)} → ${inWords(firstAdded)}`,
        edits: [listEdit(removed, added)],
        ...bothSides,
        ...coversParts(before, after),
      },
    ]
  const unchanged = before.values.filter(isAfter)
  const findings: Finding[] = []
  if (removed.length > 0)
    findings.push({
      rule: 'enum-values-removed',
      message: `allowed ${removed.length === 1 ? 'value' : 'values'} removed: ${listInWords(removed)}`,
      edits: [listEdit(removed, [])],
      ...sides(before.values, unchanged),
      ...coversParts(before, after),
    })
  if (added.length > 0)
    findings.push({
      rule: 'enum-values-added',
      message: `allowed ${added.length === 1 ? 'value' : 'values'} added: ${listInWords(added)}`,
      edits: [listEdit([], added)],
      ...sides(unchanged, after.values),
      ...coversParts(before, after),
    })
  return findings
}

/** A list of branches covers its parts: a look into the branches would report the change again. */
const coversParts = (before: AllowedValues, after: AllowedValues) =>
  before.form === 'anyOf' || after.form === 'anyOf' ? { coversParts: true } : {}

/** Removes values from a node's list and adds others; backward, the reverse. */
function listEdit(removed: readonly unknown[], added: readonly unknown[]): Edit {
  const exchange = (taken: readonly unknown[], given: readonly unknown[]) => (current: unknown) => {
    if (!isObject(current)) return current
    const isTaken = jsonIncludes(taken)
    const values = (readListedValues(current)?.values ?? []).filter(value => !isTaken(value))
    return limited(current, [...values, ...given])
  }
  return { at: [], forward: exchange(removed, added), backward: exchange(added, removed) }
}

const lists: ReadonlySet<string> = new Set(['enum', 'const', 'anyOf', 'oneOf'])

/** Returns the node with another list of values. An empty list allows nothing, which `enum` cannot say. */
function limited(node: UnknownObject, values: readonly unknown[]): UnknownObject {
  const types = own(node, 'type')
  // A single `type` next to the list would refuse a new value.
  const isOtherType = typeof types === 'string' && values.some(value => !hasType(value, types))
  const rest = Object.entries(node).filter(
    ([keyword]) => !lists.has(keyword) && !(isOtherType && keyword === 'type'),
  )
  return Object.fromEntries([...rest, values.length === 0 ? ['not', {}] : ['enum', values]])
}

const hasType = (value: unknown, type: string) => jsonType(value) === (type === 'integer' ? 'number' : type)

function limitFinding(pair: NodePair, rule: string, message: string): Finding {
  return {
    rule,
    message,
    edits: ['enum', 'const'].map(keyword => keywordEdit(pair, keyword)),
    ...sides(readListedValues(pair.before)?.values, readListedValues(pair.after)?.values),
  }
}

const areSimilar = (a: unknown, b: unknown) =>
  typeof a === 'string' && typeof b === 'string' && nameSimilarity(a, b) >= 0.6
