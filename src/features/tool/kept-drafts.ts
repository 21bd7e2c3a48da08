import { isText, storedList } from '../../ui/storage.ts'

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
