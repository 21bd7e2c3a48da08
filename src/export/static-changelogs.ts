/** The changelogs of an export. */

import { changelogName, type SiteCatalog, type SiteChangelog } from '../../core/api/site.ts'
import { AppError } from '../../core/errors.ts'
import type { Handlers } from '../api/local-backend.ts'
import { createPartLoader, type LoadPart } from './load-part.ts'

const defaultLimit = 30

/** Returns no handler if the export was made without changelogs. */
export function staticChangelogs({ changelogs }: SiteCatalog, load: LoadPart): Handlers {
  if (changelogs === undefined) return {}
  const changelogAt = createPartLoader<SiteChangelog>(load, changelogName)
  return {
    async 'GET /api/sources/{name}/changelog'({ params, query: { kind, cursor, limit } = {} }) {
      const position = changelogs.indexOf(params.name)
      if (position < 0)
        throw new AppError('source-not-found', `"${params.name}" is not in this export`, {
          hint: `There are ${changelogs.join(', ')}.`,
        })
      const { kinds, feed } = await changelogAt(position)
      const chosen = kinds.find(each => each.kind === kind) ?? kinds[0]
      const entries = chosen?.entries ?? []
      const start = cursor === undefined ? 0 : entries.findIndex(({ reference }) => reference === cursor) + 1
      const page = entries.slice(start, start + Number(limit ?? defaultLimit))
      const last = start + page.length < entries.length ? page.at(-1) : undefined
      return {
        kind: chosen?.kind ?? 'snapshot',
        kinds: kinds.map(each => each.kind),
        entries: page,
        unreadable: [],
        feed,
        ...(last ? { nextCursor: last.reference } : {}),
      }
    },
  }
}
