/** The page of an export: the same page, with its data from files beside it. */
import { createHashHistory } from '@tanstack/react-router'
import type { SiteCatalog } from '../../core/export/site.ts'
import { startPage } from '../start-page.tsx'
import { loadPart, takePart } from './load-part.ts'
import { staticBackend } from './static-backend.ts'

const catalog = takePart<SiteCatalog>('catalog')
if (catalog) {
  const backend = staticBackend(catalog, name => loadPart(catalog.folder, name))
  // After the #: any host, and a folder on disk, has only the one page to give.
  startPage(backend, createHashHistory())
} else document.body.textContent = 'The data of this export could not be loaded.'
