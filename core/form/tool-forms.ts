/** Reads `forms` of toolscope.json: uiSchemas by tool. */
import { canonicalJson } from '../json/equality.ts'
import { isObject, own } from '../json/json.ts'
import { nearest } from '../text/wording.ts'
import { type NamedTool, toolMatcher } from '../tool/tool-pattern.ts'
import { mergeUiSchemas, readUiSchema, type UiSchema } from './ui-schema.ts'

export interface ToolForms {
  /** Equal for the same forms. */
  readonly fingerprint: string
  /** A sentence for each ignored part, beginning with its location. */
  readonly problems: readonly string[]
  /** Merges all entries that match the tool; the more exact one wins. Returns undefined if none matches. */
  uiSchemaOf(tool: NamedTool): UiSchema | undefined
  /** Returns a sentence for each key that matches none of these tools. */
  unmatchedKeys(tools: readonly NamedTool[]): string[]
}

/** Maximum tools whose names are compared with a key that matches none. */
const maxSuggestedTools = 5_000

/** @param forms the value of `forms`, unchecked: a record from a tool's name, reference or pattern to a uiSchema */
export function readToolForms(forms: unknown): ToolForms {
  if (forms !== undefined && !isObject(forms))
    return { ...readToolForms(undefined), problems: ['at forms: must be an object from tools to uiSchemas'] }
  const read = Object.keys(forms ?? {}).map(key => ({
    key,
    matches: key.includes('*') ? toolMatcher(key) : ({ name, ref }: NamedTool) => key === name || key === ref,
    ...readUiSchema(own(forms ?? {}, key), `forms.${key}`),
  }))
  return {
    fingerprint: canonicalJson(read.map(({ key, uiSchema }) => [key, uiSchema])),
    problems: read.flatMap(({ problems }) => problems),
    uiSchemaOf(tool) {
      const found = read.filter(({ matches }) => matches(tool))
      if (found.length === 0) return undefined
      return found
        .toSorted((left, right) => exactness(left.key, tool) - exactness(right.key, tool))
        .reduce((merged, { uiSchema }) => mergeUiSchemas(merged, uiSchema), {})
    },
    unmatchedKeys: tools =>
      read
        .filter(({ matches }) => !tools.some(matches))
        .map(({ key }) => {
          const names = tools.slice(0, maxSuggestedTools).flatMap(({ name, ref }) => [name, ref])
          const guess = key.includes('*') ? null : nearest(key, names)
          return `at forms.${key}: no tool has this name${guess ? `; did you mean "${guess}"?` : ''}`
        }),
  }
}

/** A reference is more exact than a name, a name than a pattern, and a long pattern than a short one. */
function exactness(key: string, { name, ref }: NamedTool): number {
  if (key === ref) return Number.POSITIVE_INFINITY
  return key === name ? Number.MAX_SAFE_INTEGER : key.replaceAll('*', '').length
}
