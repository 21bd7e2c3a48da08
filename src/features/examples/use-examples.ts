import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ExampleOutcome } from '../../../core/checks/check-example.ts'
import { type Example, readExample, writeExample } from '../../../core/checks/example.ts'
import { useBackend } from '../../api/backend.ts'
import { examplesQuery } from '../../api/queries.ts'

/** Outcomes during this visit, by tool and name, so that they survive a change of tabs. */
const outcomes = new Map<string, ExampleOutcome>()

/** Returns the examples of one tool and their actions. */
export function useExamples(ref: string) {
  const backend = useBackend()
  const client = useQueryClient()
  const { data, error } = useQuery(examplesQuery(backend, ref))
  const readAgain = () => client.invalidateQueries({ queryKey: examplesQuery(backend, ref).queryKey })
  const toOutcomeKey = (name: string) => JSON.stringify([ref, name])
  const save = useMutation({
    mutationFn: (example: Example) =>
      backend.request('PUT /api/examples', { body: { ref, text: writeExample(example) } }),
    onSuccess: ({ example }) => {
      outcomes.delete(toOutcomeKey(example.name))
      if (remove.variables?.name === example.name) remove.reset()
      return readAgain()
    },
  })
  const remove = useMutation({
    mutationFn: (example: Example) =>
      backend.request('DELETE /api/examples', { query: { ref, name: example.name } }),
    onSuccess: readAgain,
  })
  const [running, setRunning] = useState<string>()
  const runs = useMutation({
    async mutationFn(names: readonly string[]) {
      for (const name of names) {
        setRunning(name)
        outcomes.set(
          toOutcomeKey(name),
          await backend.request('POST /api/examples/run', { body: { ref, name } }),
        )
      }
    },
    onSettled: () => setRunning(undefined),
  })
  const readings = data?.examples.map(({ text }) => readExample(text)) ?? []
  return {
    list: data,
    error: error ?? save.error ?? remove.error ?? runs.error,
    examples: readings.flatMap(reading => (reading.ok ? [reading.example] : [])),
    /** The example that was deleted last, until it is saved again. */
    deleted: remove.isSuccess ? remove.variables : undefined,
    save,
    remove,
    /** The example that runs now. */
    running,
    /** Runs examples one after the other, unless a run is active. */
    run: (names: readonly string[]) => {
      if (running === undefined) runs.mutate(names)
    },
    outcomeOf: (name: string) => outcomes.get(toOutcomeKey(name)),
  }
}
