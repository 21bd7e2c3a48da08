import { bestBranch, branchHolds } from '../../../../core/form/branch-match.ts'
import type { FormNode } from '../../../../core/form/form-node.ts'
import type { FormPlanner } from '../../../../core/form/form-schema.ts'
import { jsonEquals } from '../../../../core/json/equality.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import { preview } from './node-menu.ts'
import { isChoice } from './node-status.ts'

/** Returns the default in the control's words: `default: high`. Undefined without a default. */
export function presetText(node: FormNode, planner: FormPlanner): string | undefined {
  const preset = node.schema.default as Json | undefined
  return preset === undefined ? undefined : `default: ${inWords(node, preset, planner)}`
}

function inWords(node: FormNode, preset: Json, planner: FormPlanner): string {
  if (node.kind === 'enum') {
    const option = node.options.find(each => jsonEquals(each.value, preset))
    if (option) return option.label
  }
  if (node.kind === 'union' && isObject(preset)) {
    const branch = node.branches[bestBranch(planner, node.branches, preset)]
    if (branch && branchHolds(planner, branch, preset)) return branch.label
  }
  return node.kind === 'string' && typeof preset === 'string' && preset !== '' ? preset : preview(preset)
}

/** Returns whether the empty control itself shows the default, as its placeholder or as the entry for no choice. */
export function showsPreset(node: FormNode, widget: unknown): boolean {
  if (typeof widget === 'string' && /radio|checkbox|range|select/i.test(widget)) return false
  return node.kind === 'string' || node.kind === 'number' || (node.kind === 'enum' && !isChoice(node))
}
