import { useCallback } from 'react'
import type { ToolDetail } from '../../../core/api/api.ts'
import { secretFieldsOf } from '../../../core/secrets/is-secret.ts'
import { leaveOutOfText } from '../../../core/secrets/left-out.ts'
import { storage } from '../../lib/storage.ts'
import { createStore, type Store, useStore } from '../../lib/store.ts'
import { draftKey, readDraft, writeDraft } from './kept-drafts.ts'

interface Draft {
  readonly text: Store<string>
  timer: ReturnType<typeof setTimeout> | undefined
  /** Writes down what is not written yet. */
  flush: (() => void) | undefined
}

/** Drafts of this visit, secrets and all; only what is fit for it is written down. */
const drafts = new Map<string, Draft>()

/** Milliseconds of rest after which a draft is written down. */
const rest = 300

/** The draft of each tool that was used last. */
const lastOfTool = new Map<string, Draft>()

function draftOf(tool: ToolDetail): Draft {
  const key = draftKey(tool.ref, tool.schemaHash)
  const draft = drafts.get(key) ?? {
    text: createStore(readDraft(storage, key)),
    timer: undefined,
    flush: undefined,
  }
  drafts.set(key, draft)
  const last = lastOfTool.get(tool.ref)
  lastOfTool.set(tool.ref, draft)
  const text = last?.text.get() ?? ''
  // The schema changed under the form: what stands in it goes on, and is written down for the new schema too.
  if (last !== draft && text !== '') write(draft, tool, text)
  return draft
}

function write(draft: Draft, tool: ToolDetail, text: string): void {
  draft.text.set(text)
  clearTimeout(draft.timer)
  draft.flush = () => {
    clearTimeout(draft.timer)
    draft.flush = undefined
    keep(tool, text)
  }
  draft.timer = setTimeout(draft.flush, rest)
}

// Who leaves or reloads before the rest is over loses nothing.
globalThis.addEventListener?.('pagehide', () => {
  for (const draft of drafts.values()) draft.flush?.()
})

function keep(tool: ToolDetail, text: string): void {
  const fit = leaveOutOfText(text, secretFieldsOf(tool.inputSchema))?.kept
  writeDraft(storage, draftKey(tool.ref, tool.schemaHash), fit ?? '')
}

/** Puts a text in the place of a tool's draft, whether the tool is shown or not. */
export function replaceDraft(tool: ToolDetail, text: string): void {
  const draft = draftOf(tool)
  clearTimeout(draft.timer)
  draft.flush = undefined
  draft.text.set(text)
  keep(tool, text)
}

/** The input of a tool as exact JSON text (`''` while nothing is entered) and the way to change it. */
export function useDraft(tool: ToolDetail): readonly [text: string, setText: (text: string) => void] {
  const draft = draftOf(tool)
  const text = useStore(draft.text)
  const setText = useCallback((next: string) => write(draft, tool, next), [draft, tool])
  return [text, setText]
}
