import { useCallback } from 'react'
import type { ToolDetail } from '../../../core/api.ts'
import { secretNamesOf, withoutSecrets } from '../../../core/secrets.ts'
import { storage } from '../../lib/storage.ts'
import { createStore, type Store, useStore } from '../../lib/store.ts'
import { draftKey, readDraft, writeDraft } from './kept-drafts.ts'

interface Draft {
  readonly text: Store<string>
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Drafts of this visit, secrets and all; only what is fit for it is written down. */
const drafts = new Map<string, Draft>()

/** Milliseconds of rest after which a draft is written down. */
const rest = 300

function draftOf(tool: ToolDetail): Draft {
  const key = draftKey(tool.ref, tool.schemaHash)
  const found = drafts.get(key)
  if (found) return found
  const draft: Draft = { text: createStore(readDraft(storage, key)), timer: undefined }
  drafts.set(key, draft)
  return draft
}

function keep(tool: ToolDetail, text: string): void {
  const fit = withoutSecrets(text, secretNamesOf(tool.inputSchema))
  writeDraft(storage, draftKey(tool.ref, tool.schemaHash), fit ?? '')
}

/** Puts a text in the place of a tool's draft, whether the tool is shown or not. */
export function replaceDraft(tool: ToolDetail, text: string): void {
  const draft = draftOf(tool)
  clearTimeout(draft.timer)
  draft.timer = undefined
  draft.text.set(text)
  keep(tool, text)
}

/** The input of a tool as exact JSON text (`''` while nothing is entered) and the way to change it. */
export function useDraft(tool: ToolDetail): readonly [text: string, setText: (text: string) => void] {
  const draft = draftOf(tool)
  const text = useStore(draft.text)
  const setText = useCallback(
    (next: string) => {
      draft.text.set(next)
      clearTimeout(draft.timer)
      draft.timer = setTimeout(() => keep(tool, next), rest)
    },
    [draft, tool],
  )
  return [text, setText]
}
