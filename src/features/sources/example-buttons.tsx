import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBackend } from '../../api/backend.ts'
import { invalidateCatalog } from '../../api/queries.ts'
import { appErrorShape } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import styles from './first-run.module.css'

/** The examples that ship with the program, each opened by one click and not before. */
export function ExampleButtons() {
  const { exampleSources, openSource } = useBackend()
  const client = useQueryClient()
  const { data: examples = [] } = useQuery({
    queryKey: ['examples'],
    queryFn: ({ signal }) => exampleSources?.(signal) ?? [],
  })
  const opening = useMutation({
    mutationFn: async (input: string) => openSource?.(input),
    onSuccess: () => invalidateCatalog(client),
  })
  if (!openSource || examples.length === 0) return null
  return (
    <section aria-label="Examples" className={styles.examples}>
      {examples.map(({ name, about, input }) => (
        <div key={name} className={styles.example}>
          <div>
            <div className="mono">{name}</div>
            <div className="muted">{about}</div>
          </div>
          <Button
            disabled={opening.isPending}
            onClick={() => opening.mutate(input)}
            aria-label={`Open ${name}`}
          >
            {opening.isPending ? 'Opening…' : 'Open'}
          </Button>
        </div>
      ))}
      {opening.error && <ErrorNote {...appErrorShape(opening.error)} />}
    </section>
  )
}
