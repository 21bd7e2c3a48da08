import { useCallback } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { readJson } from '../../../core/json/json-text.ts'
import { findSecretFields } from '../../../core/tool/is-secret.ts'
import { leaveOutOfText } from '../../../core/tool/left-out.ts'
import { storage } from '../../ui/storage.ts'
import { createStore, useStore, type ValueStore } from '../../ui/value-store.ts'
import {
  type DraftContent,
  decodeDraft,
  draftKey,
  encodeDraft,
  readDraft,
  writeDraft,
} from './kept-drafts.ts'

interface Draft {
  readonly content: ValueStore<DraftState>
  timer: ReturnType<typeof setTimeout> | undefined
  /** Stores pending changes. */
  flush: (() => void) | undefined
}

interface DraftState extends DraftContent {
  /** The last valid text; set only while the text is not valid JSON. */
  readonly lastValidText?: string | undefined
}

/** Drafts since the page was loaded, with secrets. Stored drafts have none. */
const drafts = new Map<string, Draft>()

/** Pause after the last change before a draft is stored. */
const debounceMs = 300

/** The last used draft of each tool. */
const lastOfTool = new Map<string, Draft>()

function openDraft(tool: ToolDetail): Draft {
  const key = draftKey(tool.ref, tool.schemaHash)
  const draft = drafts.get(key) ?? {
    content: createStore(decodeDraft(readDraft(storage, key))),
    timer: undefined,
    flush: undefined,
  }
  drafts.set(key, draft)
  const last = lastOfTool.get(tool.ref)
  lastOfTool.set(tool.ref, draft)
  const content = last?.content.get() ?? { text: '' }
  // The schema changed while the form was open: its content is kept for the new schema.
  if (last !== draft && content.text !== '') write(draft, tool, content)
  return draft
}

function write(draft: Draft, tool: ToolDetail, content: DraftContent): void {
  const { text, secretMarker } = content
  const before = draft.content.get()
  const lastValidText = isBroken(text) ? (before.lastValidText ?? before.text) : undefined
  draft.content.set({ text, secretMarker, lastValidText })
  clearTimeout(draft.timer)
  draft.flush = () => {
    clearTimeout(draft.timer)
    draft.flush = undefined
    // Secrets cannot be found in invalid JSON, so the last valid text is stored.
    keep(tool, { text: lastValidText ?? text, secretMarker })
  }
  draft.timer = setTimeout(draft.flush, debounceMs)
}

function isBroken(text: string): boolean {
  const reading = readJson(text)
  return !reading.ok && reading.reason === 'syntax'
}

// Leaving or reloading the page during the pause must not lose changes.
globalThis.addEventListener?.('pagehide', () => {
  for (const draft of drafts.values()) draft.flush?.()
})

function keep(tool: ToolDetail, { text, secretMarker }: DraftContent): void {
  const found = leaveOutOfText(text, findSecretFields(tool.inputSchema), { marker: secretMarker })
  const encoded = found ? encodeDraft({ text: found.kept, secretMarker: found.marker }) : ''
  writeDraft(storage, draftKey(tool.ref, tool.schemaHash), encoded)
}

/** Replaces the draft of a tool, even if the tool is not shown. Returns the previous content. */
export function replaceDraft(tool: ToolDetail, content: DraftContent): DraftContent {
  const draft = openDraft(tool)
  const before = draft.content.get()
  clearTimeout(draft.timer)
  draft.flush = undefined
  draft.content.set(content)
  keep(tool, content)
  return before
}

export interface DraftControl extends DraftState {
  /** Changes the text; secrets that were left out stay marked. */
  readonly setText: (text: string) => void
  readonly load: (content: DraftContent) => void
}

/** Returns the input of a tool and the functions that change it. */
export function useDraft(tool: ToolDetail): DraftControl {
  const draft = openDraft(tool)
  const content = useStore(draft.content)
  const setText = useCallback(
    (text: string) => write(draft, tool, { ...draft.content.get(), text }),
    [draft, tool],
  )
  const load = useCallback((next: DraftContent) => write(draft, tool, next), [draft, tool])
  return { ...content, setText, load }
}
