/** An output schema that came or went: a promise about what the tool gives. */
import type { ToolRule } from './tool-rule.ts'

export const outputSchema: ToolRule = {
  ids: {
    'output-schema-added': 'A tool promises now what it gives.',
    'output-schema-removed': 'A tool no longer promises what it gives.',
  },
  find({ outputSchema: before }, { outputSchema: after }) {
    if ((before === undefined) === (after === undefined)) return []
    if (before === undefined)
      return [
        { rule: 'output-schema-added', direction: 'output', path: '', message: 'output schema added', after },
      ]
    return [
      {
        rule: 'output-schema-removed',
        direction: 'output',
        path: '',
        message: 'output schema removed: what comes back is no longer promised',
        before,
      },
    ]
  },
}
