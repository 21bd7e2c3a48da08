import { useEffect, useRef, useState } from 'react'
import type { CompareLine, ShownPair } from '../../../core/api/compare.ts'
import { type RequestTo, useBackend } from '../../api/backend.ts'

type Asked = RequestTo<'POST /api/compare'>['body']

/** What came of a comparison so far. */
export interface Comparison {
  readonly sides: readonly [string, string]
  /** Absent until it is known what is sent. */
  readonly plan?: Extract<CompareLine, { type: 'plan' }>
  readonly pairs: readonly ShownPair[]
  readonly state: 'running' | 'done' | 'cancelled'
  readonly error?: unknown
}

/** The last comparison of this page, and the ways to start and to end one. Leaving the page ends it. */
export function useComparison() {
  const backend = useBackend()
  const [comparison, setComparison] = useState<Comparison>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = async (asked: Asked) => {
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    let current: Comparison = { sides: [asked.a, asked.b], pairs: [], state: 'running' }
    const set = (change: Partial<Comparison>) => {
      current = { ...current, ...change }
      if (running.current === abort) setComparison(current)
    }
    set({})
    try {
      for await (const line of backend.requestLines('POST /api/compare', {
        body: asked,
        signal: abort.signal,
      })) {
        if (line.type === 'plan') set({ plan: line })
        else set({ pairs: [...current.pairs, line] })
      }
      set({ state: 'done' })
    } catch (thrown) {
      set(abort.signal.aborted ? { state: 'cancelled' } : { state: 'done', error: thrown })
    }
  }
  return { comparison, start, cancel: () => running.current?.abort() }
}

const ranks = ['different', 'failed', 'same', 'skipped'] satisfies readonly ShownPair['status'][]

/** What a reader looks for comes first: what differs, then what failed. */
export function sortPairs(pairs: readonly ShownPair[]): readonly ShownPair[] {
  const keyOf = ({ status, tool, name }: ShownPair) => `${ranks.indexOf(status)} ${tool} ${name}`
  return pairs.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
