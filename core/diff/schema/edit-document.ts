/** Makes single changes in a document without touching it: only what lies on the way is copied. */
import { isObject } from '../../json/json.ts'
import type { Steps } from '../rules/schema-rule.ts'

/** The document with `value` at `steps`; `undefined` takes the place away. Objects on the way are made where missing. */
export function setAt(document: unknown, steps: Steps, value: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (Array.isArray(document)) {
    const at = Number(step)
    const changed = setAt(document[at], rest, value)
    return changed === undefined ? document.toSpliced(at, 1) : document.with(at, changed)
  }
  const node = isObject(document) ? document : {}
  const name = String(step)
  const inner = Object.hasOwn(node, name) ? node[name] : undefined
  // An empty map is not needed to take something out of nothing.
  const changed = inner === undefined && value === undefined ? undefined : setAt(inner, rest, value)
  const others = Object.entries(node).filter(([key]) => key !== name)
  return Object.fromEntries(changed === undefined ? others : [...others, [name, changed]])
}
