import { useQuery } from '@tanstack/react-query'
import { useBackend } from '../../api/backend.ts'
import { sourceLogQuery } from '../../api/queries.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { TextBox } from '../../ui/scroll.tsx'
import { texts } from './texts.ts'

/** Colour codes of a terminal, which the page cannot show. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the escape character
const ansi = /\u001b\[[0-9;]*[A-Za-z]/g

/** The end of a source's log, requested again while it is shown. */
export function SourceLog({ name }: { readonly name: string }) {
  const { data, error } = useQuery({ ...sourceLogQuery(useBackend(), name), select: log => log.text })
  return (
    <section className="stack" aria-label={texts.log} data-testid="source-log">
      <h2>{texts.log}</h2>
      <ErrorNote error={error} />
      {data?.trim() ? (
        <TextBox maxHeight={360}>{data.replace(ansi, '')}</TextBox>
      ) : (
        data !== undefined && <p className="muted">No output yet.</p>
      )}
    </section>
  )
}
