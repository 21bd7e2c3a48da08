import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Example, readExample, writeExample } from '../../../core/example/example.ts'
import type { ExampleOutcome } from '../../../core/example/outcome.ts'
import { useBackend } from '../../api/backend.ts'
import { examplesQuery } from '../../api/queries.ts'

export interface ListedExample {
  readonly example: Example
  readonly file?: string | undefined
}

/** Outcomes of this visit, by tool and name: they stay while tabs are switched. */
const outcomes = new Map<string, ExampleOutcome>()

/** The examples of one tool and what can be done with them. */
export function useExamples(ref: string) {
  const backend = useBackend()
  const client = useQueryClient()
  const { data, error } = useQuery(examplesQuery(backend, ref))
  const [deleted, setDeleted] = useState<Example>()
  const [, showOutcomes] = useState(0)
  const readAgain = () => client.invalidateQueries({ queryKey: examplesQuery(backend, ref).queryKey })
  const keyOf = (name: string) => JSON.stringify([ref, name])
  const save = useMutation({
    mutationFn: (example: Example) =>
      backend.request('PUT /api/examples', { body: { ref, text: writeExample(example) } }),
    onSuccess: ({ example }) => {
      outcomes.delete(keyOf(example.name))
      if (deleted?.name === example.name) setDeleted(undefined)
      return readAgain()
    },
  })
  const remove = useMutation({
    mutationFn: (example: Example) =>
      backend.request('DELETE /api/examples', { query: { ref, name: example.name } }),
    onSuccess: (_, example) => {
      setDeleted(example)
      return readAgain()
    },
  })
  const run = useMutation({
    mutationFn: (name: string) => backend.request('POST /api/examples/run', { body: { ref, name } }),
    onSuccess: (outcome, name) => {
      outcomes.set(keyOf(name), outcome)
      showOutcomes(count => count + 1)
    },
  })
  const examples = (data?.examples ?? []).flatMap(({ text, file }): ListedExample[] => {
    const reading = readExample(text)
    return reading.ok ? [{ example: reading.example, file }] : []
  })
  return {
    list: data,
    error: error ?? save.error ?? remove.error ?? run.error,
    examples,
    deleted,
    save,
    remove,
    run,
    canRun: backend.has('POST /api/examples/run'),
    outcomeOf: (name: string) => outcomes.get(keyOf(name)),
  }
}
