/** Alternatives: branches of anyOf, oneOf and allOf that were added or removed, or a schema that got alternatives. */

import { jsonEquals } from '../../json/equality.ts'
import { own, type UnknownObject } from '../../json/json.ts'
import { textKeywords } from '../../schema/keywords.ts'
import { matchBranches } from '../schema/match-branches.ts'
import {
  type Finding,
  inWords,
  type NodePair,
  type SchemaRule,
  sides,
  type Update,
  wholeEdit,
} from './schema-rule.ts'
import { readListedValues } from './values.ts'

const keywords = ['anyOf', 'oneOf', 'allOf'] as const
type VariantKeyword = (typeof keywords)[number]

export const variants: SchemaRule = {
  ids: {
    'variant-added': 'An alternative was added.',
    'variant-removed': 'An alternative was removed.',
    'null-added': 'The value may be null now.',
    'null-removed': 'The value may no longer be null.',
    'combination-changed': '`allOf`, `anyOf` or `oneOf` changed.',
  },
  find(pair) {
    if (readListedValues(pair.before)?.form === 'anyOf' && readListedValues(pair.after)) return []
    if (readListedValues(pair.after)?.form === 'anyOf' && readListedValues(pair.before)) return []
    const before = keywords.filter(keyword => Array.isArray(own(pair.before, keyword)))
    const after = keywords.filter(keyword => Array.isArray(own(pair.after, keyword)))
    if (jsonEquals(before, after)) return before.flatMap(keyword => branches(pair, keyword))
    return [wrapFinding(pair, 'before') ?? wrapFinding(pair, 'after') ?? combinationFinding(pair)]
  },
}

function branches(pair: NodePair, keyword: VariantKeyword): Finding[] {
  const before = pair.before[keyword] as readonly unknown[]
  const after = pair.after[keyword] as readonly unknown[]
  const { removed, added } = matchBranches(before, after)
  const addedBranches = added.map(at => after[at])
  const removedBranches = removed.map(at => before[at])
  const findings: Finding[] = []
  if (removedBranches.length > 0)
    findings.push({
      ...branchFinding('removed', keyword, removedBranches),
      edits: [{ at: [keyword], forward: dropAt(removed, keyword), backward: append(removedBranches) }],
      before: removedBranches,
    })
  if (addedBranches.length > 0)
    findings.push({
      ...branchFinding('added', keyword, addedBranches),
      edits: [{ at: [keyword], forward: append(addedBranches), backward: dropAt(added, keyword) }],
      after: addedBranches,
    })
  return findings
}

/** A dropped branch becomes a schema without effect, because other edits address branches by index. */
function dropAt(indexes: readonly number[], keyword: VariantKeyword): Update {
  const nothing = keyword === 'allOf'
  return current =>
    Array.isArray(current) ? current.map((branch, at) => (indexes.includes(at) ? nothing : branch)) : current
}

const append =
  (branches: readonly unknown[]): Update =>
  current => [...(Array.isArray(current) ? current : []), ...branches]

function branchFinding(
  how: 'added' | 'removed',
  keyword: string,
  branches: readonly unknown[],
): Pick<Finding, 'rule' | 'message'> {
  if (keyword !== 'allOf' && branches.length === 1 && isNull(branches[0]))
    return { rule: `null-${how}`, message: how === 'added' ? 'may be null now' : 'may no longer be null' }
  const what = keyword === 'allOf' ? 'condition' : 'alternative'
  const count = branches.length === 1 ? what : `${branches.length} ${what}s`
  return {
    rule: `variant-${how}`,
    message: `${count} ${how}: ${branches.map(inWords).join(', ').slice(0, 120)}`,
  }
}

/** `{type:string}` ↔ `{anyOf:[{type:string},{type:null}]}`: the schema itself became one of several. */
function wrapFinding(pair: NodePair, plainSide: 'before' | 'after'): Finding | undefined {
  const plain = withoutText(pair[plainSide])
  const union = pair[plainSide === 'before' ? 'after' : 'before']
  const keyword = (['anyOf', 'oneOf'] as const).find(one => Array.isArray(own(union, one)))
  if (keyword === undefined || Object.keys(withoutText(union)).length > 1) return undefined
  const list = union[keyword] as readonly unknown[]
  const others = list.filter(branch => !jsonEquals(withoutText(branch), plain))
  if (others.length === list.length || others.length === 0) return undefined
  return {
    ...branchFinding(plainSide === 'before' ? 'added' : 'removed', keyword, others),
    edits: [wholeEdit(pair)],
    whole: true,
    ...sides(pair.before, pair.after),
  }
}

function combinationFinding(pair: NodePair): Finding {
  return {
    rule: 'combination-changed',
    message: `type changed: ${describeShape(pair.before)} → ${describeShape(pair.after)}`,
    edits: [wholeEdit(pair)],
    whole: true,
    ...sides(pair.before, pair.after),
  }
}

function describeShape(node: UnknownObject): string {
  const lists = keywords.flatMap(keyword => {
    const value = own(node, keyword)
    return Array.isArray(value) ? [`${keyword} of ${value.length}`] : []
  })
  return lists.join(', ') || inWords(own(node, 'type') ?? 'one schema').replaceAll('"', '')
}

const ignoredKeywords: ReadonlySet<string> = new Set([...textKeywords, 'default', 'examples'])

function withoutText(schema: unknown): UnknownObject {
  if (typeof schema !== 'object' || schema === null) return {}
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ignoredKeywords.has(keyword)))
}

function isNull(branch: unknown): boolean {
  return jsonEquals(withoutText(branch), { type: 'null' })
}
