/** Starts the page of an export: the same page, with its data from the files next to it. */
import { createHashHistory } from '@tanstack/react-router'
import type { SiteCatalog } from '../../core/api/site.ts'
import { localBackend } from '../api/local-backend.ts'
import { startPage } from '../shell/start-page.tsx'
import { type LoadPart, loadPart, takePart } from './load-part.ts'
import { staticCatalog } from './static-backend.ts'
import { staticChangelogs } from './static-changelogs.ts'
import { staticVersions } from './static-versions.ts'

const catalog = takePart<SiteCatalog>('catalog')
if (catalog) {
  const load: LoadPart = name => loadPart(catalog.folder, name)
  const backend = localBackend({
    ...staticCatalog(catalog, load),
    ...staticVersions(catalog, load),
    ...staticChangelogs(catalog, load),
  })
  // The path is after the #, because a static host or a local folder serves only this one page.
  startPage(backend, createHashHistory())
} else document.body.textContent = 'The data of this export could not be loaded.'
