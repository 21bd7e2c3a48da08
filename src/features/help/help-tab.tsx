import { startTransition, useEffect, useMemo, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { helpJson } from '../../../core/help/formats.ts'
import type { ManPage } from '../../../core/help/man-page.ts'
import { manText } from '../../../core/help/man-text.ts'
import { type ToolCommand, toToolCommand } from '../../../core/help/tool-commands.ts'
import { useSources } from '../../api/use-sources.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { join } from '../../ui/join.ts'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Loading } from '../../ui/spinner.tsx'
import { useFiller } from './fill-draft.ts'
import styles from './help-tab.module.css'
import { ManView } from './man-view.tsx'
import { requestManPage } from './request-man-page.ts'
import { texts } from './texts.ts'

interface HelpTabProps {
  readonly tool: ToolDetail
  /** The tool's draft: values of the help can be filled into it. Absent where nothing can be entered. */
  readonly draft?: { readonly text: string; readonly setText: (text: string) => void } | undefined
}

const forms = [
  { value: 'man', label: texts.manPage },
  { value: 'json', label: 'JSON' },
] as const

type Form = (typeof forms)[number]['value']

const noDraft = { text: '', setText: () => {} }

/** What `toolscope help` says of a tool: its man page, or the JSON that scripts read. */
export function HelpTab({ tool, draft = noDraft }: HelpTabProps) {
  const [form, setForm] = useState<Form>('man')
  const json = form === 'json'
  const { data: sources = [] } = useSources()
  const argument = sources.find(({ name }) => name === tool.source)?.argument
  const entry = useMemo(
    () => ({ command: tool.command ?? toToolCommand(tool.name), tool, argument }),
    [tool, argument],
  )
  const page = useManPage(entry)
  const filler = useFiller(draft.text, draft.setText)
  return (
    <div className={styles.help} data-testid="help">
      <div className={join('row', styles.bar)}>
        <Segments look="apart" legend={texts.helpView} choices={forms} value={form} onChange={setForm} />
        <span className="note grow" role="status">
          {filler.message}
        </span>
        <CopyButton
          label={json ? texts.copyTheJson : texts.copyTheManPage}
          text={() => (json ? helpJson(entry) : manText(entry))}
        />
      </div>
      {json ? (
        <>
          <p className={join('note', styles.intro)}>
            {texts.jsonSourceStart} <code>toolscope help {entry.command} --json</code> {texts.jsonSourceEnd}
          </p>
          <div className={styles.json}>
            <JsonEditor label={texts.helpAsJson} text={helpJson(entry)} readOnly />
          </div>
        </>
      ) : page === null ? (
        <EmptyState title={texts.manPageTooSlow}>{texts.schemaShowsAll}</EmptyState>
      ) : page === undefined ? (
        <Loading>{texts.makingTheManPage}</Loading>
      ) : (
        <ManView page={page} filler={draft === noDraft ? undefined : filler} />
      )}
    </div>
  )
}

/** Undefined until it is made, which usually takes no time that anyone sees; null where it takes too long. */
function useManPage(entry: ToolCommand): ManPage | null | undefined {
  const [made, setMade] = useState<{ readonly entry: ToolCommand; readonly page: ManPage | null }>()
  useEffect(() => {
    let isCurrent = true
    void requestManPage(entry).then(page => {
      // Drawn in portions: a hostile schema has thousands of rows.
      if (isCurrent) startTransition(() => setMade({ entry, page }))
    })
    return () => {
      isCurrent = false
    }
  }, [entry])
  return made?.entry === entry ? made.page : undefined
}
