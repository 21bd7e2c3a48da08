/** Says what is wrong with `forms` of toolscope.json: what was left out, and keys that match no tool. */
import type { SourceState } from '../../core/api/sources.ts'
import type { ToolForms } from '../../core/form/tool-forms.ts'
import type { Catalog } from './catalog.ts'

/**
 * Says each problem once, also of forms that come later, until the returned function is called.
 *
 * @param isWhole false where only some of the configured sources are open: keys may be for the others
 */
export function reportFormProblems(
  { tools, sources }: Catalog,
  isWhole: boolean,
  say: (line: string) => void,
): () => void {
  let read: ToolForms | undefined
  let compared: ToolForms | undefined
  const report = () => {
    const { forms } = tools
    if (read !== forms) forms.problems.forEach(say)
    read = forms
    if (!isWhole || compared === forms || !sources.list().every(isSettled)) return
    compared = forms
    forms.unmatchedKeys(tools.list()).forEach(say)
  }
  report()
  return sources.onChange(report)
}

/** Nothing more is to come from it before the user does something. */
function isSettled({ status, trusted }: SourceState): boolean {
  return status === 'ready' || status === 'degraded' || (status === 'stopped' && trusted !== false)
}
