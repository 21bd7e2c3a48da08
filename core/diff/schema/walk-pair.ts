/** Walks two schemas side by side and collects every cause of a difference, with the edits that make it. */

import { jsonEquals } from '../../json/equality.ts'
import { isObject, own, type UnknownObject } from '../../json/json.ts'
import { toPointer } from '../../json/pointer.ts'
import { addedText } from '../../text/cues.ts'
import { sameForm } from '../rules/items.ts'
import type { Edit, Finding, NodePair, PathSteps, Update } from '../rules/schema-rule.ts'
import { schemaRules } from '../rules/schema-rules.ts'
import type { Inlined } from './inline-refs.ts'
import { matchBranches } from './match-branches.ts'

/** An edit with its location in the old and in the new document. */
export interface LocatedEdit {
  readonly before: PathSteps
  readonly after: PathSteps
  readonly forward: Update
  readonly backward: Update
}

export interface Cause extends Omit<Finding, 'edits' | 'steps'> {
  /** JSON Pointer into the value; `*` means any item or any other property. */
  readonly path: string
  /** Other locations of the same change, if a definition is used several times. The first 20. */
  readonly alsoAt?: readonly string[]
  readonly edits: readonly LocatedEdit[]
  /** The node of the old side, if a format changed. */
  readonly node?: NodePair['before']
  /** The two nodes, if they changed as a whole or have other alternatives. */
  readonly nodes?: Pick<NodePair, 'before' | 'after'>
}

interface SchemaLocation {
  readonly before: PathSteps
  readonly after: PathSteps
  readonly value: PathSteps
  readonly depth: number
}

/** Maximum locations and causes; changes beyond them appear only in the verdict on the whole. */
const maxLocations = 20_000
const maxCauses = 300
const maxAlsoAt = 20
const maxDepth = 80

/** Returns one cause for each finding; a shared definition's change is found once. */
export function findCauses(before: Inlined, after: Inlined, direction: 'input' | 'output'): Cause[] {
  const walk = new Walk(before, after, direction)
  walk.visit(before.root, after.root, { before: [], after: [], value: [], depth: 0 })
  return [...walk.causes.values()]
}

class Walk {
  readonly causes = new Map<string, Cause>()
  private readonly keysByWords = new Map<string, string>()
  private locationCount = 0
  private readonly before: Inlined
  private readonly after: Inlined
  private readonly direction: NodePair['direction']
  private readonly ids = new WeakMap<object, number>()
  private nextId = 1
  private readonly recursive = new Set<string>()

  constructor(before: Inlined, after: Inlined, direction: NodePair['direction']) {
    this.before = before
    this.after = after
    this.direction = direction
  }

  visit(beforeNode: unknown, afterNode: unknown, at: SchemaLocation): void {
    if (jsonEquals(beforeNode, afterNode) && !holdsReference(beforeNode)) return
    this.locationCount += 1
    if (this.locationCount > maxLocations || at.depth > maxDepth) return
    const [before, beforePath] = follow(beforeNode, at.before, this.before)
    const [after, afterPath] = follow(afterNode, at.after, this.after)
    if (before === undefined || after === undefined) return
    if (beforePath !== at.before || afterPath !== at.after) {
      const key = `${beforePath.join('/')} ${afterPath.join('/')}`
      if (this.recursive.has(key)) return
      this.recursive.add(key)
    }
    const location = { ...at, before: beforePath, after: afterPath }
    const pair = { before, after, direction: this.direction }
    if (this.applyRules(pair, location)) this.below(pair, location)
  }

  /** @returns whether to visit deeper nodes */
  private applyRules(pair: NodePair, location: SchemaLocation): boolean {
    let areCovered = false
    for (const rule of schemaRules) {
      const findings = rule.find(pair)
      for (const finding of findings) this.add(finding, pair, location)
      if (findings.some(finding => finding.whole)) return false
      areCovered ||= findings.some(finding => finding.coversParts)
    }
    return !areCovered
  }

  private add(finding: Finding, pair: NodePair, location: SchemaLocation): void {
    const { edits, steps = [], whole: _whole, coversParts: _covers, ...rest } = finding
    const path = toPointer([...location.value, ...steps])
    const placed = edits.map(edit => locate(edit, location))
    const key = this.keyOf(finding, pair, path)
    const known = this.causes.get(key)
    if (known === undefined && this.causes.size >= maxCauses) return
    if (known === undefined) {
      const hasOtherAlternatives = finding.whole || /^(variant|null)-/.test(finding.rule)
      const nodes = hasOtherAlternatives ? { nodes: { before: pair.before, after: pair.after } } : {}
      const node = finding.rule === 'format-changed' ? { node: pair.before } : {}
      this.causes.set(key, { ...rest, ...nodes, ...node, ...pairAddedTexts(finding), path, edits: placed })
      return
    }
    const { alsoAt = [] } = known
    const isNamed = path === known.path || alsoAt.includes(path) || alsoAt.length >= maxAlsoAt
    const more = isNamed ? {} : { alsoAt: [...alsoAt, path] }
    this.causes.set(key, { ...known, ...more, edits: [...known.edits, ...placed] })
  }

  /** Returns an equal key for findings with the same cause. */
  private keyOf(
    { rule, message, noise, before, after, steps = [] }: Finding,
    pair: NodePair,
    path: string,
  ): string {
    if (noise) return `${rule} ${JSON.stringify([before, after])}`
    // Two alternatives may lose the same property: two lines with the same words could contradict each other.
    const words = JSON.stringify([rule, path, message])
    const known = this.keysByWords.get(words)
    if (known !== undefined) return known
    // A definition used in several locations is one object on each side, so its causes are the same.
    const key = JSON.stringify([rule, this.id(pair.before), this.id(pair.after), steps, message])
    this.keysByWords.set(words, key)
    return key
  }

  private id(node: object): number {
    const known = this.ids.get(node) ?? this.nextId++
    this.ids.set(node, known)
    return known
  }

  private below(pair: NodePair, location: SchemaLocation): void {
    const step = (keys: PathSteps, value: PathSteps, afterKeys: PathSteps = keys): SchemaLocation => ({
      before: [...location.before, ...keys],
      after: [...location.after, ...afterKeys],
      value: [...location.value, ...value],
      depth: location.depth + 1,
    })
    const { before, after } = pair
    const [left, right] = [own(before, 'properties'), own(after, 'properties')]
    if (isObject(left) && isObject(right))
      for (const name of Object.keys(left))
        if (Object.hasOwn(right, name))
          this.visit(left[name], right[name], step(['properties', name], [name]))
    this.both(pair, 'additionalProperties', step)
    if (sameForm(pair)) {
      for (const keyword of ['items', 'additionalItems']) this.both(pair, keyword, step)
      for (const keyword of ['items', 'prefixItems']) {
        const [itemsBefore, itemsAfter] = [own(before, keyword), own(after, keyword)]
        if (Array.isArray(itemsBefore) && Array.isArray(itemsAfter))
          for (const index of itemsBefore.keys())
            this.visit(itemsBefore[index], itemsAfter[index], step([keyword, index], [index]))
      }
    }
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
      const [partsBefore, partsAfter] = [own(before, keyword), own(after, keyword)]
      if (!Array.isArray(partsBefore) || !Array.isArray(partsAfter)) continue
      for (const [from, to] of matchBranches(partsBefore, partsAfter).pairs)
        this.visit(partsBefore[from], partsAfter[to], step([keyword, from], [], [keyword, to]))
    }
  }

  private both(
    pair: NodePair,
    keyword: string,
    step: (keys: PathSteps, value: PathSteps) => SchemaLocation,
  ): void {
    const [before, after] = [own(pair.before, keyword), own(pair.after, keyword)]
    if (isObject(before) && isObject(after)) this.visit(before, after, step([keyword], ['*']))
  }
}

/** Returns the text of a new part that a model reads, because other rules skip what a finding covers. */
function pairAddedTexts({ text, before, after }: Pick<Finding, 'text' | 'before' | 'after'>) {
  if (text !== undefined || after === undefined) return {}
  return { text: { before: addedText(before), after: addedText(after) } }
}

function locate(edit: Edit, location: SchemaLocation): LocatedEdit {
  return {
    before: [...location.before, ...edit.at],
    after: [...location.after, ...edit.at],
    forward: edit.forward,
    backward: edit.backward,
  }
}

/** Follows a reference that remains after inlining: it leads into the definitions of recursive schemas. */
function follow(
  node: unknown,
  path: PathSteps,
  inlined: Inlined,
): readonly [UnknownObject | undefined, PathSteps] {
  if (node === true) return [{}, path]
  if (node === false) return [{ not: {} }, path]
  if (!isObject(node)) return [undefined, path]
  const reference = own(node, '$ref')
  if (typeof reference !== 'string') return [node, path]
  const name = reference.replace('#/$defs/', '')
  const target = Object.hasOwn(inlined.definitions, name) ? inlined.definitions[name] : undefined
  return [isObject(target) ? target : undefined, ['$defs', name]]
}

function holdsReference(node: unknown): boolean {
  return isObject(node) && own(node, '$ref') !== undefined
}
