/** Finds the keys and values of a result that contain a text, and their ancestors. */
import { isLosslessNumber } from 'lossless-json'
import { pointerStep } from '../../../../core/json/pointer.ts'

/** The part of the tree that is shown during a search. */
export interface TreeFilter {
  /** The ids of the rows that match. */
  readonly matches: ReadonlySet<string>
  /** The visible members of each row above a match, by its id; in order. */
  readonly members: ReadonlyMap<string, readonly (string | number)[]>
  /** Whether there are more matches than are shown. */
  readonly more: boolean
}

/** Matches that are shown; the search ends there. */
export const maxMatches = 1_000
/** Nodes that are read before the page gets a turn: about 10 ms. */
const nodesPerTurn = 20_000

interface ValueNode {
  readonly key: string | number
  readonly value: unknown
  readonly parent: ValueNode | undefined
}

/**
 * Finds the rows whose key or value contains the text, in any case; a text that starts with `/` is a JSON Pointer. In
 * document order. Works in turns, so that the page stays responsive.
 * @returns undefined if the signal was aborted
 */
export async function searchTree(
  root: unknown,
  text: string,
  signal: AbortSignal,
): Promise<TreeFilter | undefined> {
  const wanted = text.toLowerCase()
  const isPointer = text.startsWith('/')
  const matches = new Set<string>()
  const members = new Map<string, Set<string | number>>()
  const pending: ValueNode[] = [{ key: '', value: root, parent: undefined }]
  for (let read = 1; matches.size < maxMatches; read += 1) {
    const node = pending.pop()
    if (!node) break
    if (read % nodesPerTurn === 0) await new Promise(resolve => setTimeout(resolve))
    if (signal.aborted) return undefined
    const isMatch =
      contains(node, wanted) || (isPointer && node.parent && buildPointer(node).toLowerCase() === wanted)
    if (isMatch) matches.add(addPath(node, members))
    pushMembers(node, pending)
  }
  return {
    matches,
    members: new Map([...members].map(([id, keys]) => [id, [...keys]])),
    more: pending.length > 0,
  }
}

function contains({ key, value, parent }: ValueNode, wanted: string): boolean {
  // A position in a list is not a key, so it is not searched.
  if (parent && typeof key === 'string' && key.toLowerCase().includes(wanted)) return true
  if (typeof value === 'string') return value.toLowerCase().includes(wanted)
  if (isLosslessNumber(value)) return value.value.includes(wanted)
  return (typeof value !== 'object' || value === null) && String(value ?? null).includes(wanted)
}

/** Pushes the members in reverse, so that the stack returns them in order. */
function pushMembers(node: ValueNode, pending: ValueNode[]): void {
  const { value } = node
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return
  if (Array.isArray(value)) {
    for (let key = value.length - 1; key >= 0; key -= 1)
      pending.push({ key, value: value[key], parent: node })
    return
  }
  for (const [key, member] of Object.entries(value).reverse())
    pending.push({ key, value: member, parent: node })
}

function collectPath(node: ValueNode): readonly ValueNode[] {
  const path: ValueNode[] = []
  for (let at: ValueNode | undefined = node; at?.parent; at = at.parent) path.push(at)
  return path.reverse()
}

const buildPointer = (node: ValueNode) =>
  collectPath(node)
    .map(({ key }) => pointerStep(key))
    .join('')

/** Adds the node and its ancestors. Returns its pointer. */
function addPath(node: ValueNode, members: Map<string, Set<string | number>>): string {
  let id = ''
  for (const { key } of collectPath(node)) {
    const keys = members.get(id) ?? new Set()
    members.set(id, keys.add(key))
    id += pointerStep(key)
  }
  return id
}
