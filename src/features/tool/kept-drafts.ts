import { isText, storedList } from '../../ui/storage.ts'

/** Drafts written down: bounded in number and size, the longest unused go first. Every refusal is harmless. */
export interface TextStorage {
  get(key: string): string | null
  set(key: string, text: string): boolean
  remove(key: string): void
}

const prefix = 'toolscope:draft:'
/** The keys of all kept drafts, the newest last. */
const indexKey = 'toolscope:drafts'

export const draftLimits = { count: 200, characters: 100_000 } as const

/** Where the draft of a tool is kept: another schema is another draft. */
export function draftKey(ref: string, schemaHash: string): string {
  return `${schemaHash}:${ref}`
}

const readIndex = (storage: TextStorage) => storedList(indexKey, isText, storage)

export function readDraft(storage: TextStorage, key: string): string {
  return storage.get(prefix + key) ?? ''
}

/** An input as JSON text (`''`: nothing entered), and what is in the place of each secret that was left out of it. */
export interface DraftContent {
  readonly text: string
  readonly secretMarker?: string | undefined
}

/** A kept draft as text: the marker, where there is one, is the first line. No JSON begins with a bullet. */
export function encodeDraft({ text, secretMarker }: DraftContent): string {
  return secretMarker === undefined ? text : `${secretMarker}\n${text}`
}

export function decodeDraft(kept: string): DraftContent {
  const [, secretMarker, text] = /^(•{3,})\n(.*)$/s.exec(kept) ?? []
  return text === undefined ? { text: kept } : { text, secretMarker }
}

/** Keeps a draft, or forgets it when it is empty or too long to keep. */
export function writeDraft(storage: TextStorage, key: string, text: string): void {
  const others = readIndex(storage).filter(each => each !== key)
  if (text === '' || text.length > draftLimits.characters) {
    storage.remove(prefix + key)
    storage.set(indexKey, JSON.stringify(others))
    return
  }
  while (others.length >= draftLimits.count) forgetOldest(storage, others)
  // A full storage: let old drafts go until this one fits, or none is left.
  while (!storage.set(prefix + key, text) && others.length > 0) forgetOldest(storage, others)
  storage.set(indexKey, JSON.stringify([...others, key]))
}

function forgetOldest(storage: TextStorage, keys: string[]): void {
  const oldest = keys.shift()
  if (oldest !== undefined) storage.remove(prefix + oldest)
}
