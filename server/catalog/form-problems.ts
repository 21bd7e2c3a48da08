/** Reports what is wrong with `forms` of toolscope.json: ignored parts, and keys that match no tool. */
import type { CatalogEvent } from '../../core/api/events.ts'
import type { SourceState } from '../../core/api/sources.ts'
import type { ToolForms } from '../../core/form/tool-forms.ts'
import type { Catalog } from './catalog.ts'

/**
 * Reports each problem once, also after later changes of the forms, until the returned function is called.
 *
 * @param isWhole false if only some of the configured sources are open: keys may belong to the others
 */
export function reportFormProblems(
  { tools, sources }: Catalog,
  isWhole: boolean,
  say: (line: string) => void,
): () => void {
  let read: ToolForms | undefined
  let compared: ToolForms | undefined
  /** Kept by the events: thousands of sources may emit one each. */
  const unsettled = new Set(sources.list().flatMap(state => (isSettled(state) ? [] : [state.name])))
  const report = () => {
    const { forms } = tools
    if (read !== forms) forms.problems.forEach(say)
    read = forms
    if (!isWhole || compared === forms || unsettled.size > 0) return
    compared = forms
    forms.unmatchedKeys(tools.list()).forEach(say)
  }
  report()
  return sources.onChange((event: CatalogEvent) => {
    if (event.what === 'sources') {
      const connection = sources.find(event.source)
      if (connection === undefined || isSettled(sources.stateOf(connection))) unsettled.delete(event.source)
      else unsettled.add(event.source)
    }
    report()
  })
}

/** Whether the source stays as it is until the user acts. */
function isSettled({ status, trusted }: SourceState): boolean {
  return status === 'ready' || status === 'degraded' || (status === 'stopped' && trusted !== false)
}
