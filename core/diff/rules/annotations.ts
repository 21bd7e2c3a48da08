/** What a tool says of its own behaviour, and what its format says beyond that. */
import { jsonEquals } from '../../json/equality.ts'
import { addedText } from './added-text.ts'
import { inWords, sides } from './schema-rule.ts'
import type { ToolFinding, ToolRule } from './tool-rule.ts'

export const annotations: ToolRule = {
  ids: {
    'safety-lowered': 'A tool no longer says that it only reads, or says now that it destroys.',
    'safety-raised': 'A tool says now that it only reads, or no longer says that it destroys.',
    'annotation-changed': 'Another hint about the behaviour of a tool changed.',
    'extra-changed': 'A field beside the documented ones changed.',
  },
  find(before, after) {
    return [
      ...fields('annotations', before.annotations, after.annotations),
      ...fields('extra', before.extra, after.extra),
    ]
  },
}

function fields(group: 'annotations' | 'extra', before: object = {}, after: object = {}): ToolFinding[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap(name => {
    const [old, young] = [fieldOf(before, name), fieldOf(after, name)]
    if (jsonEquals(old, young)) return []
    return [
      {
        rule: group === 'extra' ? 'extra-changed' : ruleOf(name, old, young),
        direction: 'annotation' as const,
        path: `${group}.${name}`,
        message: `${group === 'extra' ? '' : 'annotations.'}${name} ${inWords(old)} → ${inWords(young)}`,
        ...sides(old, young),
        text: { before: addedText(old), after: addedText(young) },
      },
    ]
  })
}

/** Absent hints mean what MCP says they mean: not read-only, destructive. */
function ruleOf(name: string, before: unknown, after: unknown): string {
  if (name === 'readOnlyHint') {
    if (before === true) return 'safety-lowered'
    return after === true ? 'safety-raised' : 'annotation-changed'
  }
  if (name === 'destructiveHint') {
    // Saying out loud what is assumed anyway changes nothing.
    if (before === undefined && after !== false) return 'annotation-changed'
    if (after === true || after === undefined)
      return before === false ? 'safety-lowered' : 'annotation-changed'
    if (after === false) return 'safety-raised'
  }
  return 'annotation-changed'
}

function fieldOf(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as { readonly [name: string]: unknown })[name] : undefined
}
