import type { SourceList, SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useSourceChange } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import { OverviewList, OverviewRow } from '../../ui/overview.tsx'
import styles from './add-source.module.css'
import { texts } from './texts.ts'

/** Returns the example sources that are not open yet. */
export const offeredExamples = ({ examples, sources }: SourceList) =>
  examples.filter(example => !sources.some(({ name }) => name === example.name))

interface ExamplesProps extends Pick<SourceList, 'examples'> {
  readonly onOpened: (source: SourceState) => void
}

/** Example sources; a click opens one. */
export function Examples({ examples, onOpened }: ExamplesProps) {
  const backend = useBackend()
  const opening = useSourceChange(
    (input: string) => backend.request('POST /api/sources', { body: { input } }),
    onOpened,
  )
  const refused = useRefusal('POST /api/sources')
  return (
    <div className="stack">
      <OverviewList title="Try an example">
        {examples.map(({ name, about, input }) => (
          <OverviewRow key={name}>
            <span className="mono">{name}</span>
            <span className={styles.about}>{about}</span>
            <Button
              disabled={opening.isPending}
              refused={refused}
              onClick={() => opening.mutate(input)}
              aria-label={texts.openNamed(name)}
            >
              {opening.isPending && opening.variables === input ? texts.opening : texts.open}
            </Button>
          </OverviewRow>
        ))}
      </OverviewList>
      <ErrorNote error={opening.error} />
    </div>
  )
}
