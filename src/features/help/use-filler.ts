import { useMemo, useState } from 'react'
import type { Place } from '../../../core/help/man-row.ts'
import type { Json } from '../../../core/json/json.ts'
import { draftValue, fillDraft, holdsValue } from './fill-draft.ts'

export interface DraftFiller {
  use(place: Place, value: Json, path: string): void
  isUsed(place: Place, value: Json): boolean
  /** What the last use did, for people; empty before. */
  readonly told: string
}

/** Fills the tool's draft from the help. */
export function useFiller(text: string, setText: (text: string) => void): DraftFiller {
  const [told, setTold] = useState('')
  const draft = useMemo(() => draftValue(text), [text])
  return {
    told,
    isUsed: (place, value) => holdsValue(draft, place, value),
    use(place, value, path) {
      const filled = fillDraft(text, place, value)
      if (filled === undefined) {
        setTold(`${path} could not be filled: the input holds something else there. See the JSON tab.`)
        return
      }
      setText(filled)
      setTold(`${path} is filled in the form.`)
    },
  }
}
