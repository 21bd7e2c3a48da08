import { useCallback } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { readJson } from '../../../core/json/json-text.ts'
import { findSecretFields } from '../../../core/tool/is-secret.ts'
import { leaveOutOfText } from '../../../core/tool/left-out.ts'
import { isText, storage, storedList } from '../../ui/storage.ts'
import { createStore, useStore, type ValueStore } from '../../ui/value-store.ts'

/** The storage for drafts, limited in number and size: the oldest are removed first. A refused write is harmless. */
export interface TextStorage {
  get(key: string): string | null
  set(key: string, text: string): boolean
  remove(key: string): void
}

const prefix = 'toolscope:draft:'
/** Key of the list of all stored drafts, the newest last. */
const indexKey = 'toolscope:drafts'

export const draftLimits = { count: 200, characters: 100_000 } as const

/** Returns the storage key of a tool's draft; each version of the schema has its own draft. */
export function draftKey(ref: string, schemaHash: string): string {
  return `${schemaHash}:${ref}`
}

const readIndex = (storage: TextStorage) => storedList(indexKey, isText, storage)

export function readDraft(storage: TextStorage, key: string): string {
  return storage.get(prefix + key) ?? ''
}

/** An input as JSON text (`''` if nothing was entered), and the placeholder text of each secret that was left out. */
export interface DraftContent {
  readonly text: string
  readonly secretMarker?: string | undefined
}

/** Returns a draft as stored text. A marker is the first line: JSON never begins with a bullet. */
export function encodeDraft({ text, secretMarker }: DraftContent): string {
  return secretMarker === undefined ? text : `${secretMarker}\n${text}`
}

export function decodeDraft(stored: string): DraftContent {
  const [, secretMarker, text] = /^(•{3,})\n(.*)$/s.exec(stored) ?? []
  return text === undefined ? { text: stored } : { text, secretMarker }
}

/** Stores a draft, or removes it if it is empty or too long. */
export function writeDraft(storage: TextStorage, key: string, text: string): void {
  const others = readIndex(storage).filter(each => each !== key)
  if (text === '' || text.length > draftLimits.characters) {
    storage.remove(prefix + key)
    storage.set(indexKey, JSON.stringify(others))
    return
  }
  while (others.length >= draftLimits.count) forgetOldest(storage, others)
  // The storage is full: remove old drafts until this one fits or none is left.
  while (!storage.set(prefix + key, text) && others.length > 0) forgetOldest(storage, others)
  storage.set(indexKey, JSON.stringify([...others, key]))
}

function forgetOldest(storage: TextStorage, keys: string[]): void {
  const oldest = keys.shift()
  if (oldest !== undefined) storage.remove(prefix + oldest)
}

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
