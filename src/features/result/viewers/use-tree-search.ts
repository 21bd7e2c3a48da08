import { useEffect, useState } from 'react'
import { searchTree, type TreeFilter } from './tree-search.ts'

/** A search in a value, and what it leaves of the tree: undefined without a text, and until the first search has ended. */
export function useTreeSearch(value: unknown) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<TreeFilter>()
  useEffect(() => {
    const abort = new AbortController()
    const search = async () => {
      const filter = text === '' ? undefined : await searchTree(value, text, abort.signal)
      if (!abort.signal.aborted) setFound(filter)
    }
    void search()
    return () => abort.abort()
  }, [value, text])
  return { text, setText, filter: text === '' ? undefined : found }
}
