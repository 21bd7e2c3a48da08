import type { ToolFilter } from '../../core/api/api.ts'

export type { ToolFilter }

/** The filters' names on the page. A filter without a name fails to compile. */
export const filterLabels = {
  'read-only': 'read-only',
  destructive: 'destructive',
  'typed-output': 'typed output',
  callable: 'callable',
} as const satisfies Record<ToolFilter, string>

export const toolFilters = Object.keys(filterLabels) as readonly ToolFilter[]
