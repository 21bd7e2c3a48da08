import { useQuery } from '@tanstack/react-query'
import { useBackend } from '../../api/backend.ts'
import { configChangeQuery } from '../../api/queries.ts'
import { useSourceChange } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { join } from '../../ui/join.ts'
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
  const [old, next] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start += 1
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end += 1
  const first = Math.max(0, start - contextLines)
  const rows = [
    ...next.slice(first, start).map(text => ({ mark: ' ', text })),
    ...old.slice(start, old.length - end).map(text => ({ mark: '-', text })),
    ...next.slice(start, next.length - end).map(text => ({ mark: '+', text })),
    ...next.slice(next.length - end, next.length - end + contextLines).map(text => ({ mark: ' ', text })),
  ].map((row, index) => ({ ...row, index }))
  return (
    <ScrollRegion label="The change" className={join('box mono', styles.changes)}>
      {rows.map(({ mark, text, index }) => (
        <div key={index} className={styles.change} data-mark={mark}>{`${mark} ${text}`}</div>
      ))}
    </ScrollRegion>
  )
}
