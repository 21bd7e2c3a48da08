/** Gathers changes of the store into few groups, in bounded size: the fewer details, the more changes there are. */
import type { StoreEvent } from '../../core/api/events.ts'
import type { StoreChange } from './store.ts'

const maxGroups = 50
const maxIds = 10

interface Group {
  readonly kind: StoreEvent['kind']
  readonly source?: string
  readonly ref?: string
  /** Null if they are not known. */
  ids: Set<string> | null
}

/** Many changes of one tool lose their ids; changes of many tools lose the tools, of many sources also the sources. */
export class ChangeGroups {
  private groups = new Map<string, Group>()
  private detail: 'tool' | 'source' | 'kind' = 'tool'

  add({ kind, id, source, ref }: StoreChange): void {
    this.addEvent({
      kind,
      ...(source === undefined ? {} : { source }),
      ...(ref === undefined ? {} : { ref }),
      ...(id === '*' ? {} : { ids: [id] }),
    })
  }

  addEvent({ kind, source, ref, ids }: StoreEvent): void {
    const about = {
      kind,
      ...(source === undefined || this.detail === 'kind' ? {} : { source }),
      ...(ref === undefined || this.detail !== 'tool' ? {} : { ref }),
    }
    const key = JSON.stringify([kind, about.source, about.ref])
    const group = this.groups.get(key) ?? { ...about, ids: new Set<string>() }
    this.groups.set(key, group)
    // Only the newest state of the store counts.
    if (kind === 'status') group.ids = new Set(ids)
    else if (ids === undefined) group.ids = null
    else for (const id of ids) group.ids?.add(id)
    if (group.ids !== null && group.ids.size > maxIds) group.ids = null
    if (this.groups.size > maxGroups && this.detail !== 'kind') this.lessen()
  }

  toEvents(): readonly StoreEvent[] {
    return [...this.groups.values()].map(({ ids, ...about }) => ({
      ...about,
      ...(ids === null ? {} : { ids: [...ids] }),
    }))
  }

  private lessen(): void {
    const events = this.toEvents()
    this.detail = this.detail === 'tool' ? 'source' : 'kind'
    this.groups = new Map()
    for (const event of events) this.addEvent(event)
  }
}
