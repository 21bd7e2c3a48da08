import { useQuery } from '@tanstack/react-query'
import { useBackend } from '../../api/backend.ts'
import { configChangeQuery } from '../../api/queries.ts'
import { useSourceChange } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { ScrollRegion } from '../../ui/scroll.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './add-source.module.css'

/** Unchanged lines that are shown around a change. */
const contextLines = 3

/** Shows toolscope.json with the source added; writes it when the user agrees. */
export function SaveToConfig({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const backend = useBackend()
  const { data: change, error } = useQuery(configChangeQuery(backend, name))
  const saving = useSourceChange((before: string | null) =>
    backend.request('POST /api/sources/{name}/config-change', { params: { name }, body: { before } }),
  )
  return (
    <>
      <ErrorNote error={error ?? saving.error} />
      {change && (
        <>
          <p>
            This file will be {change.before === null ? 'created' : 'changed'}: <code>{change.file}</code>.
            After that, edit the source in this file.
          </p>
          <DiffLines before={change.before ?? ''} after={change.after} />
          {change.notes.map(note => (
            <p key={note} className="notice">
              {note}
            </p>
          ))}
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>{change ? commonTexts.cancel : commonTexts.close}</Button>
        {change && (
          <Button
            look="primary"
            disabled={saving.isPending}
            onClick={() => saving.mutate(change.before, { onSuccess: onClose })}
          >
            {saving.isPending ? 'Writing…' : 'Write the file'}
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** One change of a text: the removed and added lines, with the lines around them. */
function DiffLines({ before, after }: { readonly before: string; readonly after: string }) {
  const [linesBefore, linesAfter] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(linesBefore.length, linesAfter.length)
  let start = 0
  while (start < shorter && linesBefore[start] === linesAfter[start]) start += 1
  let end = 0
  while (end < shorter - start && linesBefore.at(-1 - end) === linesAfter.at(-1 - end)) end += 1
  const first = Math.max(0, start - contextLines)
  const rows = [
    ...linesAfter.slice(first, start).map(text => ({ mark: ' ', text })),
    ...linesBefore.slice(start, linesBefore.length - end).map(text => ({ mark: '-', text })),
    ...linesAfter.slice(start, linesAfter.length - end).map(text => ({ mark: '+', text })),
    ...linesAfter
      .slice(linesAfter.length - end, linesAfter.length - end + contextLines)
      .map(text => ({ mark: ' ', text })),
  ].map((row, index) => ({ ...row, index }))
  return (
    <ScrollRegion label="The change" className={join('box mono', styles.changes)}>
      {rows.map(({ mark, text, index }) => (
        <div key={index} className={styles.change} data-mark={mark}>{`${mark} ${text}`}</div>
      ))}
    </ScrollRegion>
  )
}
