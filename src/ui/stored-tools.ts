/** Tools that this browser stores: recently opened ones and favorites. */
import { isText, storage, storedList } from './storage.ts'
import { createStore, useStore, type ValueStore } from './value-store.ts'

export interface StoredTool {
  readonly ref: string
  readonly name: string
  readonly source: string
}

const maxRecents = 20
const maxFavorites = 100

function isStoredTool(value: unknown): value is StoredTool {
  if (typeof value !== 'object' || value === null) return false
  const texts: Partial<Record<keyof StoredTool, unknown>> = value
  return [texts.ref, texts.name, texts.source].every(isText)
}

function createToolList(key: string) {
  const store: ValueStore<readonly StoredTool[]> = createStore(storedList(key, isStoredTool))
  const set = (list: readonly StoredTool[]) => {
    store.set(list)
    storage.set(key, JSON.stringify(list))
  }
  return { store, set }
}

const recents = createToolList('toolscope:recent-tools')
const favorites = createToolList('toolscope:favorite-tools')

const without = (list: readonly StoredTool[], ref: string) => list.filter(each => each.ref !== ref)
const keep = ({ ref, name, source }: StoredTool): StoredTool => ({ ref, name, source })

/** Returns the recently opened tools, the newest first. */
export const recentTools = () => recents.store.get()

/** Like `recentTools`, and renders again when they change. */
export const useRecentTools = () => useStore(recents.store)

/** Returns the favorites in the order in which they were added. */
export const useFavoriteTools = () => useStore(favorites.store)

export function addRecentTool(tool: StoredTool): void {
  if (recents.store.get()[0]?.ref === tool.ref) return
  recents.set([keep(tool), ...without(recents.store.get(), tool.ref)].slice(0, maxRecents))
}

/** Replaces the references of tools whose source was renamed. */
export function followRenames(toPresent: (tool: StoredTool) => Pick<StoredTool, 'ref' | 'source'>): void {
  for (const { store, set } of [recents, favorites]) {
    const before = store.get()
    const after = before.map(tool => ({ ...tool, ...toPresent(tool) }))
    if (after.some(({ ref }, index) => ref !== before[index]?.ref))
      set(after.filter(({ ref }, index) => after.findIndex(each => each.ref === ref) === index))
  }
}

/** Adds a tool to the favorites, or removes it. */
export function toggleFavorite(tool: StoredTool): void {
  const before = favorites.store.get()
  const others = without(before, tool.ref)
  favorites.set(others.length < before.length ? others : [...others, keep(tool)].slice(-maxFavorites))
}
